/**
 * Throws when a change is not to be made to what is there now: `state` names its state as `hashState` does;
 * undefined: there is nothing of that name. Called in the transaction, or under the claim, that makes the change.
 */
export type Precondition = (state: string | undefined) => void;

export const noPrecondition: Precondition = () => undefined;
