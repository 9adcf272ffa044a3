/**
 * SQLSTATE codes that are not caused by the statement itself: connection lost (08), server stopping or starting
 * (57P01 to 57P03), statement_timeout (57014), lock_timeout (55P03), a transaction that was idle for too long (25P03),
 * a read-only server (25006), too many connections (53300), disk full (53100).
 */
const sqlStates = /^(08...|57P0[123]|57014|55P03|25P03|25006|53300|53100)$/;

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

/**
 * Whether the database was unreachable or temporarily unable to execute the statement, as opposed to a faulty
 * statement or a bug. Follows the chain of causes.
 */
export function isConnectionFailure(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code = '', syscall } = at as Error & { code?: unknown; syscall?: unknown };
    if (typeof code === 'string' && (sqlStates.test(code) || networkCodes.test(code))) return true;
    // The socket of a server that is not running; any other missing file is a bug of ours.
    if (code === 'ENOENT' && syscall === 'connect') return true;
    const { message } = at;
    if (driverMessages.some((start) => message.startsWith(start))) return true;
  }
  return false;
}
