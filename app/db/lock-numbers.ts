/** The numbers of the advisory locks that are no hash of a name: each its own, so that nothing waits for another. */
export const lockNumbers = {
  queues: 7_026_001,
  migrations: 7_026_002,
  grants: 7_026_003,
  /** Held, shared, by every program that uses the embedded server. */
  serverUsers: 0xb0b1,
  programRole: 0xb0b2,
  /** Held while a backup is made or checked. */
  backups: 0xb0b3,
} as const;
