import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { planKey, startMessage } from '#app/features/runs/commands.server.ts';
import { messageSession, whoGets } from '#app/features/runs/message.server.ts';
import type { Addressees } from '#app/routes/staff/runs/take-message.server.ts';

/** The recipients of a message to a course date (P80). */
export function sessionAddressees(slug: string): Addressees {
  const idOf = async (db: Db) =>
    (await db.selectFrom('training_sessions').select('id').where('slug', '=', slug).executeTakeFirst())?.id ?? null;
  return {
    subject: `training-session:${slug}`,
    action: 'write-to-session',
    compares: true,
    async who(db, wanted) {
      const id = await idOf(db);
      if (id === null) return null;
      const course = await messageSession(db, id);
      return (await whoGets(db, id, wanted)).map((one) => ({ ...one, course }));
    },
    keyOf: (gets) => planKey(gets),
    async start(trx, asked, moment) {
      const sessionId = await idOf(trx);
      if (sessionId === null) return { ok: false, reason: 'missing' };
      return startMessage(trx, { sessionId, ...asked }, moment);
    },
    async sample(db) {
      const id = await idOf(db);
      if (id === null) return null;
      const path = href('/training-calendar/:sessionId', { sessionId: slug });
      return { course: await messageSession(db, id), path, about: { kind: 'session', id } };
    },
  };
}
