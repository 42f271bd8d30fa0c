import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import type { JudgedSet } from '../../model/pool.ts';

/** What the pool is of. */
export interface PoolSubject {
  readonly set: JudgedSet;
  readonly depth: number;
  readonly evaluations: readonly StoredEvaluation[];
}
