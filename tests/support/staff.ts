import type { Db } from '#app/db/client.server.ts';
import { type StaffActor, theProgram } from '#app/features/people/actor.ts';
import { inviteStaff } from '#app/features/people/commands.server.ts';
import { permissionsOf, type Role } from '#app/features/people/permissions.ts';
import type { Staff } from '#app/features/people/queries.server.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import type { AcademyApp } from './academy-app.ts';

/** An owner who acts; nobody of this id is in the database. */
export const anOwner = staffActor({ id: 0, name: 'Ada Byron' });

/** A person as who acts, in a role. */
export function staffActor({ id, name }: { id: number; name: string }, role: Role = 'owner'): StaffActor {
  return { kind: 'staff', person: { id, name }, roles: [role], can: permissionsOf([role]), teachesAs: [] };
}

type Granted = Parameters<typeof inviteStaff>[3];

/** Makes a person staff: an owner, or what is asked for. */
export async function makeStaff(
  db: Db,
  person: { email: string; name: string },
  at: Date,
  granted: Granted = { role: 'owner' },
): Promise<Staff & { actor: StaffActor }> {
  const staff = await inviteStaff(db, person, { actor: theProgram, at }, granted);
  return { ...staff, actor: staffActor(staff, granted.role) };
}

/** A member of staff with a browser that is signed in. */
export type SignedIn = {
  id: number;
  /** The cookie of the sign-in. */
  cookie: string;
  get(path: string): Promise<Response>;
  /** Sends a form from a page of ours. */
  post(path: string, fields: Record<string, string>): Promise<Response>;
};

/**
 * Makes a person staff and signs them in by inserting a row, with the second factor shown; returns the value of the
 * cookie `sign-in`. It lasts however far the test sets its clock.
 */
export async function insertSignIn(
  db: Db,
  person: { email: string; name: string },
  at: Date,
  granted?: Granted,
): Promise<{ id: number; value: string }> {
  const { id } = await makeStaff(db, person, at, granted);
  const value = makeToken();
  const [before, after] = [new Date('2000-01-01T00:00:00Z'), new Date('2100-01-01T00:00:00Z')];
  await db
    .insertInto('sign_ins')
    .values({
      token_hash: hashOfToken(value),
      person_id: id,
      audience: 'staff',
      browser: 'Firefox on Linux',
      created_at: before,
      used_at: after,
      idle_until: after,
      ends_at: after,
      proved_at: at,
    })
    .execute();
  return { id, value };
}

/** Makes a person staff, with a browser that is signed in. */
export async function signInStaff(
  academy: AcademyApp,
  email: string,
  name: string,
  granted?: Granted,
): Promise<SignedIn> {
  const at = academy.services.academy.clock.now();
  const { id, value } = await insertSignIn(academy.database.db, { email, name }, at, granted);
  const cookie = `sign-in=${value}`;
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

/** The fields that a form on a page for staff carries by itself. */
export function carriedBy(
  html: string,
  act: string,
): { act: string; form: string; seen: string; lastMovement: string } {
  const form = html.slice(html.indexOf(`name="act" value="${act}"`));
  const fieldOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
  return { act, form: fieldOf('form'), seen: fieldOf('seen'), lastMovement: fieldOf('lastMovement') };
}
