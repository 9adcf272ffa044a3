import { existsSync } from 'node:fs';
import { isIP, isIPv4 } from 'node:net';
import path from 'node:path';
import { z } from 'zod';

/** The repository's root, found from the location of this file in the sources or in the build. */
export const projectRoot = findRoot(import.meta.dirname);

function findRoot(from: string): string {
  if (existsSync(path.join(from, 'package.json'))) return from;
  const parent = path.dirname(from);
  if (parent === from) throw new Error('package.json not found above the program');
  return findRoot(parent);
}

const wholeNumber = z.coerce.number('must be a number').int('must be a whole number');
const ownPort = wholeNumber.min(1, 'must be from 1 to 65535').max(65_535, 'must be from 1 to 65535');
const ownAddress = z
  .string()
  .default('127.0.0.1')
  .refine((text) => isIP(text) !== 0, 'must be an IP address');

const variables = z.object({
  PORT: wholeNumber.min(0).max(65_535).default(3000),
  DATA_DIR: z.string().default('.data'),
  SIGN_IN_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url')
    .optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_URL: z
    .url({ protocol: /^s3$/, hostname: /./, error: 'must be an s3:// address', abort: true })
    .transform((text, context) => {
      const bucket = bucketOf(text);
      if (!bucket) context.addIssue('must be such as s3://key:secret@s3.example.com/bucket/folder?region=us-east-1');
      return bucket ?? z.NEVER;
    })
    .optional(),
  BACKUP_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url')
    .optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  DATABASE_DIRECT_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  DATABASE_MIGRATION_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  DATABASE_POOL: wholeNumber.min(4, 'must be 4 at least').max(100, 'must be 100 at most').default(10),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: 'must be an smtp:// or smtps:// address', abort: true })
    .transform((text, context) => {
      const server = smtpServerOf(text);
      if (!server)
        context.addIssue('must be such as smtps://user:password@mail.example.com:465?timeout=30, without a path');
      return server ?? z.NEVER;
    })
    .optional(),
  BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address', abort: true })
    .refine(isOrigin, 'must be an origin such as https://academy.example: no path, query or password')
    .optional(),
  TODAY: z
    .string()
    .refine(
      (text) =>
        z.iso.date().safeParse(text.slice(0, 10)).success && /^(T([01]\d|2[0-3]):[0-5]\d)?$/.test(text.slice(10)),
      {
        error: 'must be a day such as 2025-09-08, or a day and time in Brisbane such as 2025-09-08T09:00',
        abort: true,
      },
    )
    .refine((day) => day >= '2000-01-01' && day < '2100-01-01', 'must be from 2000-01-01 to 2099-12-31')
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .refine(
      (text) => listOf(text).every(canBeProxy),
      'must be IP addresses or networks such as 10.0.0.0/8, comma-separated',
    ),
  SHUTDOWN_GRACE: z.coerce
    .number('must be a number of seconds')
    .min(0, 'must not be below 0')
    .max(600, 'must be 600 seconds at most')
    .default(0),
  KEEP_ALIVE: z.coerce
    .number('must be a number of seconds')
    .int('must be whole seconds')
    .min(1, 'must be 1 second at least')
    .max(3600, 'must be 3600 seconds at most')
    .default(65),
  SHED_AFTER: z.coerce
    .number('must be a number of milliseconds')
    .int('must be whole milliseconds')
    .min(50, 'must be 50 milliseconds at least')
    .max(60_000, 'must be 60000 milliseconds at most')
    .default(250),
  METRICS_PORT: ownPort.optional(),
  METRICS_HOST: ownAddress,
  INBOUND_MAIL_PORT: ownPort.optional(),
  INBOUND_MAIL_HOST: ownAddress,
  VITALS_SAMPLE: z.coerce
    .number('must be a number')
    .min(0, 'must not be below 0')
    .max(1, 'must be 1 at most')
    .default(0.1),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_\w+$/, 'must be a secret or restricted key such as sk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'must be the signing secret of the webhook endpoint, whsec_…')
    .optional(),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address', abort: true })
    .refine(isOrigin, 'must be an origin such as https://api.stripe.com')
    .optional(),
});

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(variables.shape);

const schema = variables
  .superRefine(({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret }, context) => {
    const missing = key && !secret ? 'STRIPE_WEBHOOK_SECRET' : secret && !key ? 'STRIPE_SECRET_KEY' : null;
    if (missing) context.addIssue({ code: 'custom', path: [missing], message: 'is missing: card payment needs both' });
  })
  .refine((env) => env.DATABASE_URL || !env.DATABASE_MIGRATION_URL, {
    path: ['DATABASE_MIGRATION_URL'],
    error: 'needs DATABASE_URL, as which the program then asks',
  })
  .refine((env) => env.DATABASE_URL || !env.DATABASE_DIRECT_URL, {
    path: ['DATABASE_DIRECT_URL'],
    error: 'needs DATABASE_URL, the address of the pooler',
  })
  .refine((env) => !env.BACKUP_URL || !env.BACKUP_DIR, {
    path: ['BACKUP_URL'],
    error: 'cannot be set with BACKUP_DIR: backups go to one place',
  })
  .transform((env) => ({
    port: env.PORT,
    dataDir: path.resolve(projectRoot, env.DATA_DIR),
    /** Where backups go and the key that seals them; null when they are turned off. */
    backups:
      env.BACKUP_DIR === 'off'
        ? null
        : {
            ...(env.BACKUP_URL
              ? { bucket: env.BACKUP_URL }
              : { folder: path.resolve(projectRoot, env.BACKUP_DIR ?? path.join(env.DATA_DIR, 'backups')) }),
            key: env.BACKUP_KEY ? Buffer.from(env.BACKUP_KEY, 'base64url') : null,
          },
    /** Seals the seeds of staff's apps; without it a file in the data folder does. */
    signInKey: env.SIGN_IN_KEY ?? null,
    /** The database itself, past any pooler. */
    databaseUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    /** A pooler in transaction mode in front of it, for statements and transactions (P90). */
    poolerUrl: env.DATABASE_DIRECT_URL && env.DATABASE_URL,
    /** The same database as the role that owns its tables; without it the program's own role migrates. */
    databaseMigrationUrl: env.DATABASE_MIGRATION_URL,
    /** Most connections that requests and jobs use at once. */
    databasePool: env.DATABASE_POOL,
    /** Where mail is handed over; without it, mail is written to files. */
    smtp: env.SMTP_URL,
    /** Public origin without a trailing slash; canonical addresses are built on it. */
    baseUrl: new URL(env.BASE_URL ?? `http://localhost:${env.PORT}`).origin,
    /** The public origin if it was set and is https, otherwise null. Signed badges name it for ever. */
    publicOrigin: env.BASE_URL?.startsWith('https:') ? new URL(env.BASE_URL).origin : null,
    /** The day, or the day and time in Brisbane, at which the academy's clock starts; for tests and demonstrations. */
    today: env.TODAY,
    /** Addresses and CIDR networks of proxies whose X-Forwarded-For is believed. */
    trustedProxies: listOf(env.TRUSTED_PROXIES),
    /** How long to keep serving after a stop signal, so that a load balancer that polls /readyz can react first. */
    shutdownGraceMs: env.SHUTDOWN_GRACE * 1000,
    /** How long a connection on which nothing is asked stays open. */
    keepAliveMs: env.KEEP_ALIVE * 1000,
    /** How late the event loop may come before new requests are answered 503. */
    shedAfterMs: env.SHED_AFTER,
    /** Where /metrics is served, on a port of its own; null when nobody measures. */
    metrics: env.METRICS_PORT === undefined ? null : { port: env.METRICS_PORT, host: env.METRICS_HOST },
    /** Where the academy's mail server hands over what people write to it; null when it does not. */
    inboundMail:
      env.INBOUND_MAIL_PORT === undefined ? null : { port: env.INBOUND_MAIL_PORT, host: env.INBOUND_MAIL_HOST },
    /** The share of visits whose web vitals are asked for, from 0 to 1, when somebody measures. */
    vitalsShare: env.VITALS_SAMPLE,
    logLevel: env.LOG_LEVEL,
    stripe: stripeOf(env.STRIPE_SECRET_KEY, env.STRIPE_WEBHOOK_SECRET, env.STRIPE_API_URL),
  }));

/** Card payment by Stripe (P29); null without its keys, and then nothing of it shows. */
export type StripeSettings = {
  secretKey: string;
  webhookSecret: string;
  /** Without a trailing slash; tests name a stand-in. */
  apiUrl: string;
  /** The origin of the page on which the card is typed in. */
  checkoutOrigin: string;
};

function stripeOf(secretKey?: string, webhookSecret?: string, standIn?: string): StripeSettings | null {
  if (!secretKey || !webhookSecret) return null;
  const apiUrl = new URL(standIn ?? 'https://api.stripe.com').origin;
  return { secretKey, webhookSecret, apiUrl, checkoutOrigin: standIn ? apiUrl : 'https://checkout.stripe.com' };
}

export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS when the server offers it. */
  secure: boolean;
  auth: { user: string; pass: string } | undefined;
  /** How long the server may take for one answer. */
  answerMs: number;
};

/** The server an smtp:// (port 587) or smtps:// (port 465) address names; null when it is not such an address. */
function smtpServerOf(text: string): SmtpServer | null {
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const [, seconds = '30'] = /^\?timeout=([1-9]|[12]\d|30)$/.exec(search) ?? [];
  if (search !== '' && search !== `?timeout=${seconds}`) return null;
  if (!['', '/'].includes(pathname) || hash || (username === '') !== (password === '')) return null;
  const secure = protocol === 'smtps:';
  try {
    const auth = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined;
    return {
      host: hostname,
      port: Number(port) || (secure ? 465 : 587),
      secure,
      auth,
      answerMs: Number(seconds) * 1000,
    };
  } catch {
    // A stray per cent sign.
    return null;
  }
}

/** A bucket of a service that speaks S3, and how to log in to it. */
export type BucketSettings = {
  /** An origin: https, or http on this computer. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Empty, or ends in a slash. */
  prefix: string;
  keyId: string;
  secret: string;
};

/** The bucket an s3:// address names; null when it is not such an address. */
function bucketOf(text: string): BucketSettings | null {
  const { host, hostname, username, password, pathname, searchParams, hash } = new URL(text);
  const { region = 'us-east-1', ...others } = Object.fromEntries(searchParams);
  if (!username || !password || hash || Object.keys(others).length > 0 || !/^[\w-]+$/.test(region)) return null;
  try {
    const [keyId, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
    const [bucket = '', ...folders] = decodeURIComponent(pathname).split('/').filter(Boolean);
    if (!/^[a-z\d][a-z\d.-]{2,62}$/.test(bucket)) return null;
    const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
    const prefix = folders.map((folder) => `${folder}/`).join('');
    return { endpoint: `${isHere ? 'http' : 'https'}://${host}`, region, bucket, prefix, keyId, secret };
  } catch {
    // A stray per cent sign.
    return null;
  }
}

function isOrigin(text: string): boolean {
  const { origin, href } = new URL(text);
  return href === `${origin}/`;
}

/** An address that a connection can come from, or a network that does not cover all addresses. */
function canBeProxy(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return !/^[0.:]+$/.test(address);
  const longest = isIPv4(address) ? 32 : 128;
  // IPv4 networks must be written as IPv4: IPv4-mapped IPv6 addresses are converted to IPv4 before they are compared.
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= longest && !/^::ffff:/i.test(address);
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

export type Settings = z.output<typeof schema>;

export type SettingsResult = { ok: true; settings: Settings } | { ok: false; message: string };

/**
 * Reads and validates every setting. Empty strings count as unset.
 * On failure `message` is one line that names each wrong variable.
 */
export function readSettings(env: Record<string, string | undefined>): SettingsResult {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return { ok: true, settings: result.data };
  const faults = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    // A URL may hold a password, and a key is one, so these are not repeated.
    const value = /_URL$|_KEY$|^STRIPE_/.test(name) ? '' : ` "${given[name]}"`;
    return `${name}${value} ${issue.message}`;
  });
  return { ok: false, message: `Setting refused: ${faults.join('; ')}` };
}

/** Settings of this process; prints one line and exits with 1 when one is wrong. */
export function settingsOrExit(): Settings {
  const result = readSettings(process.env);
  if (result.ok) return result.settings;
  console.error(result.message);
  process.exit(1);
}
