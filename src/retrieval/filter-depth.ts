import type { FilterTree } from '../model/filters.ts';

/** The depth to which SAP's Retrieval API reads a boolean tree. */
export const maxTreeDepth = 5;

/** How many operators stand above the deepest condition. */
export function depthOfTree(tree: FilterTree): number {
  return 'operator' in tree ? 1 + Math.max(depthOfTree(tree.left), depthOfTree(tree.right)) : 0;
}
