import { RetrieverError } from '../errors.ts';

/** What a configuration says of a user. Throws `unknown-user` when it does not define that user. */
export function findUser<Conditions>(
  users: Readonly<Record<string, Conditions>>,
  user: string,
): Conditions {
  // `users` comes from JSON: `constructor` and the like are no users.
  if (Object.hasOwn(users, user)) return users[user] as Conditions;
  throw new RetrieverError(
    'unknown-user',
    `The search configuration does not define user '${user}', so the question was not searched. ` +
      `Add '${user}' to the configuration's \`users\`, or correct the question's \`user\`.`,
  );
}
