import type { VerdictMode } from './merge-judgments.ts';
import type { Precondition } from '../catalog/precondition.ts';

/** How labels are imported into a set that may hold some. */
export interface ImportRule {
  readonly judgments: VerdictMode;
  /** Stores nothing and says what would change. */
  readonly isPreview: boolean;
  readonly precondition: Precondition;
}
