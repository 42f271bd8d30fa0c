export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  /** Data as it is: whatever looks like a placeholder in it is none. */
  readonly content: string;
}
