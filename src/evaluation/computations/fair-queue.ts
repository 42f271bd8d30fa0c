/** Items of several owners. Each owner gets its turn, however many items another has. */
export interface FairQueue<Item> {
  readonly add: (owner: string, item: Item) => void;
  /** The first item of the owner whose turn it is. */
  readonly take: () => Item | undefined;
  /** False when it is not there any more. */
  readonly remove: (owner: string, item: Item) => boolean;
  readonly size: () => number;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  // In the order of their turns: an owner that had one goes to the end.
  const byOwner = new Map<string, Item[]>();
  let size = 0;
  return {
    add(owner, item) {
      const items = byOwner.get(owner) ?? [];
      items.push(item);
      byOwner.set(owner, items);
      size += 1;
    },
    take() {
      const [first] = byOwner;
      if (!first) return undefined;
      const [owner, items] = first;
      const item = items.shift();
      byOwner.delete(owner);
      if (items.length > 0) byOwner.set(owner, items);
      size -= 1;
      return item;
    },
    remove(owner, item) {
      const items = byOwner.get(owner) ?? [];
      const place = items.indexOf(item);
      if (place === -1) return false;
      items.splice(place, 1);
      if (items.length === 0) byOwner.delete(owner);
      size -= 1;
      return true;
    },
    size: () => size,
  };
}
