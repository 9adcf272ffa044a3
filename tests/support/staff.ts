import { createHmac, randomUUID } from 'node:crypto';
import { programSecret } from '#app/db/secrets.server.ts';
import { inviteStaff } from '#app/features/accounts/commands.server.ts';
import { hashOfToken } from '#app/features/accounts/hashing-adapter.server.ts';
import type { AcademyApp } from './academy-app.ts';

/** A member of staff with a browser that is signed in. */
export type SignedIn = {
  id: number;
  /** The cookie of the sign-in. */
  cookie: string;
  get(path: string): Promise<Response>;
  /** Sends a form from a page of ours. */
  post(path: string, fields: Record<string, string>): Promise<Response>;
};

/** Makes a person staff and signs them in by inserting a row. */
export async function signInStaff(academy: AcademyApp, email: string, name: string): Promise<SignedIn> {
  const { db } = academy.database;
  const at = academy.services.enquiries.forms.trueNow();
  const { id } = await inviteStaff(db, { email, name }, at);
  const token = randomUUID();
  // better-auth compares with the true time.
  const expiresAt = new Date(Date.now() + 60 * 60 * 1000);
  await db
    .insertInto('sign_ins')
    .values({ token: hashOfToken(token), person_id: id, expires_at: expiresAt, created_at: at, updated_at: at })
    .execute();
  const signature = createHmac('sha256', await programSecret(db, 'sign-in'))
    .update(token)
    .digest('base64');
  const cookie = `sign-in=${encodeURIComponent(`${token}.${signature}`)}`;
  return {
    id,
    cookie,
    get: (path) => academy.request(path, { headers: { Cookie: cookie } }),
    post: (path, fields) =>
      academy.request(path, {
        method: 'POST',
        headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams(fields),
      }),
  };
}
