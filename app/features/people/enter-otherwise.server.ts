import type { Db } from '#app/db/client.server.ts';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { askLimits } from '#app/http/form-limit.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { emailAddressOf } from '#app/lib/email-address.ts';
import { type DoorArgs, finish, nextOf, takeDoorForm } from './door-acts.server.ts';
import { type Entered, enter } from './enter.server.ts';
import { ownPath } from './own-path.ts';
import { askForPasskey, takePasskey } from './passkeys.server.ts';
import { isPassword } from './passwords.server.ts';
import { type SignInServices, signInContext } from './sign-in-context.ts';
import type { Audience } from './sign-ins.server.ts';

/** Logs a player in by address and password. A player with a second factor is asked for it here as well (P53). */
export async function actPassword({ context, request }: DoorArgs) {
  const form = await readForm(request);
  const { email = '', password = '', to } = textsOf(form);
  const services = context.get(signInContext);
  const from = context.get(clientAddressContext);
  const leadsTo = ownPath('player', to);
  const result = await takeDoorForm(form, { email }, async (refuse) => {
    const tried = await tryPassword(services, { email, password, from });
    if (tried === 'busy') return refuse(503, 'Many people are here at the moment. Please try again in a few seconds.');
    if (tried === 'too-many') return refuse(429, tooMany);
    if (tried === null) return refuse(409, { errors: { password: wrong } });
    const { headers } = request;
    const entered = await services.db
      .transaction()
      .execute((trx) =>
        enter(trx, services, { personId: tried, audience: 'player', by: 'password', to: leadsTo, headers }),
      );
    if (!entered.ok) return refuse(409, { errors: { password: wrong } });
    return { ok: true, to: nextOf({ ...entered, audience: 'player', leadsTo }), cookies: entered.cookies };
  });
  return finish(result);
}

const wrong = 'The email or the password is not right. We can email you a link instead.';
const tooMany =
  'Too many wrong passwords were typed, so passwords do not work for an hour. A link or code by email and a passkey still work.';

/**
 * The person with an address and password; null when they do not belong together. The work is the same for an address
 * that nobody has. After ten wrong ones in an hour none is taken, a right one neither, while mail and passkeys go on
 * working (P51): wrong ones of one person count together, whichever of their addresses was typed.
 */
async function tryPassword(
  services: SignInServices,
  { email, password, from }: { email: string; password: string; from: string },
): Promise<number | null | 'busy' | 'too-many'> {
  const { db, clock, limitOfPasswords, limitOfPasswordNetwork } = services;
  const asked = emailAddressOf(email.trim())?.toLowerCase() ?? '';
  const known = await db
    .selectFrom('person_emails')
    .leftJoin('passwords', 'passwords.person_id', 'person_emails.person_id')
    .select(['person_emails.person_id', 'hash'])
    .where('email', '=', asked)
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
  const limits = [
    { limit: limitOfPasswords, by: known ? `person ${known.person_id}` : asked },
    { limit: limitOfPasswordNetwork, by: from },
  ];
  const room = (trx: Db) => askLimits(trx, limits, clock.now());
  // Checked before the costly work, and again after it, where simultaneous tries take turns.
  if (!(await db.transaction().execute(room)).ok) return 'too-many';
  const right = await isPassword(password.slice(0, 1000), known?.hash ?? null);
  if (right === 'busy') return 'busy';
  return db.transaction().execute(async (trx) => {
    const left = await room(trx);
    if (!left.ok) return 'too-many';
    if (right && known) return known.person_id;
    await left.count();
    return null;
  });
}

/** Gives a browser what it needs to show a passkey, and signs in its owner: a passkey is both factors (P53). */
export async function actPasskey(audience: Audience, { context, request }: DoorArgs): Promise<Response> {
  const { step = '', response = '', to } = textsOf(await readForm(request));
  const services = context.get(signInContext);
  try {
    if (step === 'options') return Response.json({ options: await askForPasskey(services.db, services) });
    const leadsTo = ownPath(audience, to);
    const entered = await services.db.transaction().execute(async (trx): Promise<Entered | { ok: false }> => {
      const taken = await takePasskey(trx, services, response);
      if (!taken) return { ok: false };
      const { headers } = request;
      return enter(trx, services, { personId: taken.personId, audience, by: 'passkey', to: leadsTo, headers });
    });
    if (!entered.ok) return Response.json({ fault: unknownPasskey }, { status: 403 });
    const headers = entered.cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]);
    return Response.json({ to: leadsTo }, { headers });
  } catch (error) {
    if (!databaseTrouble(error)) throw error;
    return Response.json({ fault: 'Our system is not available. Please try again in a few minutes.' }, { status: 503 });
  }
}

const unknownPasskey = 'We do not know this passkey, or it does not work here yet. Use your email instead.';
