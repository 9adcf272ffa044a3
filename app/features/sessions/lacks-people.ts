import { sql } from 'kysely';

/**
 * Of `training_sessions` and `session_seats`: sales confirmed the course date, it has fewer people than its minimum now,
 * and staff did not decide to hold it (P39).
 */
export const lacksPeople = sql<boolean>`(training_sessions.state = 'confirmed' and confirmed_on is not null
  and held_anyway_at is null and session_seats.sold < minimum)`;
