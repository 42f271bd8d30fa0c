export type QuestionId = string;

export type DocumentId = string;
