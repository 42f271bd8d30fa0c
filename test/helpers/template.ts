/** The database on the test server that holds the tables of the service. Tests copy it. */
export const postgresTemplate = 'migrated';
