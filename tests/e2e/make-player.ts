import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { beginSignIn } from '#app/features/people/sign-ins.server.ts';
import { programData } from './program-data.ts';

/** Makes a player who is signed in since now, in one browser or several; returns the token of the first one's cookie. */
export async function makePlayer(email: string, browsers = ['Chrome on Linux']): Promise<string> {
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const at = new Date('2025-09-08T09:00:00+10:00');
  const { id } = await db
    .insertInto('people')
    .values({ email, name: 'Ada Byron' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.updateTable('person_emails').set({ verified_at: at }).where('email', '=', email).execute();
  await db.insertInto('players').values({ person_id: id, since: at }).execute();
  const tokens: string[] = [];
  for (const browser of browsers) {
    const signIn = { personId: id, audience: 'player', pending: null, browser, at } as const;
    tokens.push(await beginSignIn(db, signIn));
  }
  await db.destroy();
  await server.release();
  return tokens[0] ?? '';
}
