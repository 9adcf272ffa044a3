import { expect, test } from 'vitest';
import { readSettings } from './env.server.ts';

test('every setting is optional', () => {
  const result = readSettings({ PORT: '' });
  expect(result).toMatchObject({ ok: true, settings: { port: 3000, baseUrl: 'http://localhost:3000' } });
});

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['DATABASE_URL', 'mysql://root@localhost/x'],
  ['DATABASE_MIGRATION_URL', 'mysql://root@localhost/x'],
  ['SMTP_URL', 'http://mail.example.com'],
  ['SMTP_URL', 'smtp://'],
  ['SMTP_URL', 'smtp://user@mail.example.com'],
  ['SMTP_URL', 'smtp://mail.example.com/inbox'],
  ['SMTP_URL', 'smtp://mail.example.com?timeout=31'],
  ['SMTP_URL', 'smtp://mail.example.com?tls=off'],
  ['BACKUP_URL', 'https://s3.example.com/bucket'],
  ['BACKUP_URL', 's3://s3.example.com/bucket'],
  ['BACKUP_URL', 's3://key:secret@s3.example.com'],
  ['BACKUP_URL', 's3://key:secret@s3.example.com/bucket?zone=a'],
  ['BASE_URL', 'bowerbird'],
  ['TODAY', '8 September'],
  ['TODAY', '2025-02-30'],
  ['TODAY', '2025-09-08T24:00'],
  ['TODAY', '2025-09-08T09:00Z'],
  ['LOG_LEVEL', 'loud'],
  ['KEEP_ALIVE', '0'],
  ['KEEP_ALIVE', '1.5'],
  ['DATABASE_POOL', '3'],
  ['DATABASE_POOL', 'ten'],
  ['METRICS_PORT', '0'],
  ['METRICS_PORT', 'nine'],
  ['METRICS_HOST', 'monitor.example'],
  ['INBOUND_MAIL_PORT', '70000'],
  ['INBOUND_MAIL_HOST', 'mx.example'],
  ['VITALS_SAMPLE', '10%'],
  ['VITALS_SAMPLE', '1.5'],
  ['BASE_URL', 'https://bowerbird.example/shop'],
  ['BASE_URL', 'https://bowerbird.example/?a=b'],
  ['BASE_URL', 'https://bowerbird.example/#a'],
  ['BASE_URL', 'https://user:secret@bowerbird.example'],
  ['TODAY', '0000-01-01'],
  ['TODAY', '1999-12-31'],
  ['TODAY', '2100-01-01'],
  ['TODAY', '9999-12-31'],
  ['TRUSTED_PROXIES', 'proxy.example'],
  ['TRUSTED_PROXIES', '10.0.0.1:8080'],
  ['TRUSTED_PROXIES', '10.0.0.1 10.0.0.2'],
  ['TRUSTED_PROXIES', '0.0.0.0'],
  ['TRUSTED_PROXIES', '::'],
  ['TRUSTED_PROXIES', '0.0.0.0/0'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
  ['TRUSTED_PROXIES', '10.0.0.0/'],
  ['TRUSTED_PROXIES', '::ffff:10.0.0.0/104'],
  ['TRUSTED_PROXIES', 'fe80::1%eth0'],
])('a wrong %s is refused in one line that names it', (name, value) => {
  const result = readSettings({ [name]: value });
  expect(result.ok).toBe(false);
  if (result.ok) return;
  expect(result.message).toContain(name);
  expect(result.message).not.toContain('\n');
});

test.each(['10.0.0.1', '10.0.0.0/8, 2001:db8::/32', '::ffff:10.0.0.1', '2001:DB8:0:0::1', '::1'])(
  'TRUSTED_PROXIES may be %s',
  (text) => {
    expect(readSettings({ TRUSTED_PROXIES: text }).ok).toBe(true);
  },
);

test.each([
  [
    'smtps://ada%40example.com:p%3Aw@mail.example.com',
    {
      host: 'mail.example.com',
      port: 465,
      secure: true,
      auth: { user: 'ada@example.com', pass: 'p:w' },
      answerMs: 30_000,
    },
  ],
  [
    'smtp://localhost:2525?timeout=5',
    { host: 'localhost', port: 2525, secure: false, auth: undefined, answerMs: 5_000 },
  ],
])('SMTP_URL may be %s', (text, smtp) => {
  expect(readSettings({ SMTP_URL: text })).toMatchObject({ ok: true, settings: { smtp } });
});

test('a password in SMTP_URL is not repeated', () => {
  expect(JSON.stringify(readSettings({ SMTP_URL: 'smtp://ada:hunter2@mail.example.com/x' }))).not.toContain('hunter2');
});

test('BACKUP_URL names a bucket and its key, over TLS but on this computer', () => {
  const bucketOf = (BACKUP_URL: string) => {
    const read = readSettings({ BACKUP_URL });
    return read.ok && read.settings.backups;
  };
  expect(bucketOf('s3://AKID:a%2Fb@s3.example.com/academy/a/b/?region=ap-southeast-2')).toMatchObject({
    bucket: { endpoint: 'https://s3.example.com', region: 'ap-southeast-2', bucket: 'academy', prefix: 'a/b/' },
  });
  expect(bucketOf('s3://AKID:a%2Fb@127.0.0.1:9000/academy')).toMatchObject({
    bucket: { endpoint: 'http://127.0.0.1:9000', prefix: '', keyId: 'AKID', secret: 'a/b' },
  });
});

test('backups go to a folder or to a bucket, and the secret of the bucket is not repeated', () => {
  const BACKUP_URL = 's3://AKID:hunter2@s3.example.com/academy';
  const both = readSettings({ BACKUP_URL, BACKUP_DIR: '/mnt' });
  const wrong = readSettings({ BACKUP_URL: `${BACKUP_URL}?zone=a` });
  expect(both).toMatchObject({
    ok: false,
    message: expect.stringContaining('BACKUP_URL cannot be set with BACKUP_DIR'),
  });
  expect(JSON.stringify([both, wrong])).not.toContain('hunter2');
});

test('a password in BASE_URL is not repeated', () => {
  const result = readSettings({ BASE_URL: 'https://user:secret@bowerbird.example' });
  expect(JSON.stringify(result)).not.toContain('secret');
});

test('a refused database address is not repeated: it may hold a password', () => {
  const result = readSettings({ DATABASE_URL: 'mysql://root:hunter2@localhost/x' });
  expect(JSON.stringify(result)).not.toContain('hunter2');
});

test('the owner of the tables is named only beside the role of the program, and no password is repeated', () => {
  const DATABASE_MIGRATION_URL = 'postgres://owner:hunter2@localhost/x';
  expect(readSettings({ DATABASE_MIGRATION_URL })).toEqual({
    ok: false,
    message: 'Setting refused: DATABASE_MIGRATION_URL needs DATABASE_URL, as which the program then asks',
  });
  expect(readSettings({ DATABASE_MIGRATION_URL, DATABASE_URL: 'postgres://program@localhost/x' })).toMatchObject({
    settings: { databaseMigrationUrl: DATABASE_MIGRATION_URL },
  });
});

test('P90: with DATABASE_DIRECT_URL the address of DATABASE_URL is a pooler; alone it is the database', () => {
  const [pooler, direct] = ['postgres://program@pooler/x', 'postgres://program@database/x'];
  expect(readSettings({ DATABASE_DIRECT_URL: direct })).toMatchObject({ ok: false });
  expect(readSettings({ DATABASE_URL: direct })).toMatchObject({ settings: { databaseUrl: direct } });
  expect(readSettings({ DATABASE_URL: pooler, DATABASE_DIRECT_URL: direct })).toMatchObject({
    settings: { databaseUrl: direct, poolerUrl: pooler },
  });
});

test.each(['https://bowerbird.example/', 'HTTPS://Bowerbird.Example', 'https://bowerbird.example:443'])(
  'BASE_URL %s is normalised',
  (text) => {
    expect(readSettings({ BASE_URL: text })).toMatchObject({ settings: { baseUrl: 'https://bowerbird.example' } });
  },
);

test('card payment needs both keys, and no message repeats one', () => {
  const key = 'sk_test_123';
  const alone = readSettings({ STRIPE_SECRET_KEY: key });
  expect(alone).toEqual({
    ok: false,
    message: 'Setting refused: STRIPE_WEBHOOK_SECRET is missing: card payment needs both',
  });
  const wrong = readSettings({ STRIPE_SECRET_KEY: 'pk_live_abc', STRIPE_WEBHOOK_SECRET: 'secret-abc' });
  expect(wrong).toMatchObject({ ok: false, message: expect.not.stringContaining('abc') });
  expect(readSettings({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: 'whsec_x' })).toMatchObject({
    settings: { stripe: { apiUrl: 'https://api.stripe.com', checkoutOrigin: 'https://checkout.stripe.com' } },
  });
  expect(readSettings({})).toMatchObject({ settings: { stripe: null } });
});
