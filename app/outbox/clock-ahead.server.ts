import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { mailQueue, queues } from './queue.server.ts';

/**
 * Takes back the stamps that a clock left which was ahead, in the queue and in what we know of the mail server.
 * Otherwise the schedule, the jobs of a process that died, and mail would wait until that time comes. All are of
 * PostgreSQL's clock; those of the mail server are of the true time, which may differ from it by a minute.
 */
export async function takeBackFutureStamps(db: Db): Promise<void> {
  await sql`update pgboss.version set cron_on = now() where cron_on > now()`.execute(db);
  await sql`update pgboss.queue
    set monitor_claim_on = least(monitor_claim_on, now()), maintain_on = least(maintain_on, now())
    where greatest(monitor_claim_on, maintain_on) > now()`.execute(db);
  await sql`update pgboss.job set started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
    where state = 'active' and greatest(started_on, heartbeat_on) > now()`.execute(db);
  // The schedule sends a job once a minute: the minutes it sent for already would be left out when they come.
  await sql`update pgboss.job set singleton_on = null where singleton_on > now() at time zone 'UTC'`.execute(db);
  // Mail that was put off on purpose is put off for as long from now on.
  await sql`update pgboss.job set created_on = now(), start_after = start_after - (created_on - now())
    where state = 'created' and created_on > now()`.execute(db);
  await sql`update pgboss.job set start_after = now()
    where state = 'retry' and start_after > now() + make_interval(secs => ${mailQueue.retryDelayMax})`.execute(db);
  await sql`update mails set queued_at = least(queued_at, now()), tries_from = least(tries_from, job.start_after)
    from pgboss.job
    where job.name = ${queues.mail} and job.state < 'active' and job.data->>'mailId' = mails.id::text
      and mails.state = 'queued' and settled_at is null
      and (queued_at > now() or tries_from > greatest(job.start_after, now()))`.execute(db);
  await sql`update mail_server set away_since = least(away_since, now()), answered_at = least(answered_at, now()),
      check_after = now()
    where greatest(away_since, answered_at, check_after - interval '5 minutes') > now() + interval '1 minute'`.execute(
    db,
  );
}
