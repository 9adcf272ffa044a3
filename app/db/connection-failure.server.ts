/**
 * SQLSTATE codes that are not caused by the statement itself, and mean that nothing can be done until the database is
 * back: connection lost (08), server stopping or starting (57P01 to 57P03), a read-only server (25006), disk full
 * (53100).
 */
const awayStates = /^(08...|57P0[123]|25006|53100)$/;

/**
 * SQLSTATE codes of a database that works but is busy with others: lock_timeout (55P03), statement_timeout (57014), a
 * transaction that was idle for too long (25P03), too many connections (53300). The server has rolled back; nothing was
 * stored.
 */
const busyStates = /^(55P03|57014|25P03|53300)$/;

/** SQLSTATE codes of damaged data: a page or an index that cannot be read (XX001, XX002), a fault of the disk (58030). */
const damagedStates = /^(XX00[12]|58030)$/;

const networkCodes = /^(ECONN[A-Z]+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/;

/** Errors raised by pg and pg-pool themselves have no code. */
const driverMessages = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
];

const busyCode = 'DATABASE_BUSY';

/** All connections were in use, or too many requests wanted the same row; the database got no statement. */
export class Busy extends Error {
  readonly code = busyCode;
}

const hungCode = 'DATABASE_HUNG';

/** The database answered nobody for longer than a statement may take: it is away. */
export class Hung extends Error {
  readonly code = hungCode;
}

/**
 * Why the database did not execute a statement, when neither the statement nor a bug caused it: it is `away`, and then
 * a commit under way may or may not have happened; or it is `busy` with others, and then nothing was stored. Null for
 * every other error. Follows the chain of causes.
 */
export function databaseTrouble(error: unknown): 'away' | 'busy' | null {
  for (let at = error; isErrorLike(at); at = at.cause) {
    const { code = '', syscall, message } = at;
    if (typeof code === 'string') {
      if (code === busyCode || busyStates.test(code)) return 'busy';
      if (code === hungCode || awayStates.test(code) || networkCodes.test(code)) return 'away';
    }
    // The socket of a server that is not running; any other missing file is a bug of ours.
    if (code === 'ENOENT' && syscall === 'connect') return 'away';
    if (driverMessages.some((start) => message.startsWith(start))) return 'away';
  }
  return null;
}

/** Whether the database could not read its own data: only a backup helps. */
export const isDamaged = (error: unknown): boolean => hasState(error, damagedStates);

/** Whether the server takes no writes, as one does after another has taken over. */
export const isReadOnly = (error: unknown): boolean => hasState(error, /^25006$/);

function hasState(error: unknown, states: RegExp): boolean {
  for (let at = error; isErrorLike(at); at = at.cause) {
    if (typeof at.code === 'string' && states.test(at.code)) return true;
  }
  return false;
}

/** SQLSTATE codes of a limit of ours that the server kept: waiting for a lock, and the time of a statement. */
const limits: Readonly<Record<string, 'lock' | 'time'>> = { '55P03': 'lock', '57014': 'time' };

/**
 * Which limit ended a statement: it waited too long for a lock, or took too long. Null for every other error. Such a
 * statement alone is slow: unlike a full pool it says nothing about the next one.
 */
export function limitReached(error: unknown): 'lock' | 'time' | null {
  for (let at = error; isErrorLike(at); at = at.cause) {
    const limit = typeof at.code === 'string' ? limits[at.code] : undefined;
    if (limit) return limit;
  }
  return null;
}

/** Whether the database was unreachable or temporarily unable to execute the statement: away or busy. */
export function isConnectionFailure(error: unknown): boolean {
  return databaseTrouble(error) !== null;
}

type ErrorLike = { message: string; code?: unknown; syscall?: unknown; cause?: unknown };

/** Errors, and the copies of them that pg-boss reports. */
function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}
