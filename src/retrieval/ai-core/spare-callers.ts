/** Callers beyond those at the gate of a resource group: they prepare the next searches and read the last answers. */
export const spareCallers = 4;
