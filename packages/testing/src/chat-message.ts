export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}
