import { expect, test } from 'vitest';
import { jobLog } from './job-log.server.ts';

test('an outage of the database is said once until the job works again, and what else a job failed with each time', () => {
  const said: string[] = [];
  const note = (_: object, message: string) => void said.push(message);
  const told = jobLog({ warn: note, error: note }, 'mail');
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  for (let turn = 0; turn < 5; turn += 1) told.failed(away);
  expect(said).toEqual(['job put off: the database is away']);
  told.worked();
  told.failed(away);
  told.failed(new Error('a bug'));
  told.failed(new Error('a bug'));
  expect(said.slice(1)).toEqual(['job put off: the database is away', 'job failed', 'job failed']);
});
