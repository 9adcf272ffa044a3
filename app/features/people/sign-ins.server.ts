import { betterAuth } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { magicLink } from 'better-auth/plugins/magic-link';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { type Clock, trueTime } from '#app/lib/clock.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import type { StaffActor } from './actor.ts';
import { endLinks } from './commands.server.ts';
import { hashingAdapter, withFailures } from './hashing-adapter.server.ts';
import { readActor } from './queries.server.ts';
import { standInFor } from './stand-in.ts';

const hour = 60 * 60;
/** A sign-in ends when it has not been used for this long, in seconds. */
const idleSeconds = 12 * hour;
/** A sign-in ends this long after it was made, however often it was used; in milliseconds. */
const longestMs = 7 * 24 * hour * 1000;
/** How often the use of a sign-in is written down at most, in seconds. */
const noteUseSeconds = 10 * 60;
/** How long a link to sign in may be used. */
export const linkMinutes = 15;

/** What an answer changes in the browser: values of Set-Cookie headers. */
type Cookies = string[];

export type SignIns = {
  /** Makes the secret of a link by which the person with this email address can sign in once, within 15 minutes. */
  createToken(email: string): Promise<string>;
  /** Uses up the secret of a link and ends the person's other links; false when it was used before, is too old or belongs to nobody who is staff. */
  enter(token: string, headers: Headers, clock: Clock): Promise<{ ok: true; cookies: Cookies } | { ok: false }>;
  /** Who sent a request; null for nobody who is staff now. */
  find(headers: Headers, clock: Clock): Promise<{ actor: StaffActor | null; cookies: Cookies }>;
  /** Ends the sign-in a request was sent with. */
  leave(headers: Headers): Promise<Cookies>;
};

/**
 * Sign-ins, kept by better-auth in our tables. Its own HTTP addresses are not mounted: pages call these functions, after
 * our checks of origin and size. It dates sign-ins by the true time, so their age is measured
 * by that.
 */
export function openSignIns({
  db,
  baseUrl,
  secret,
}: {
  db: Db;
  baseUrl: string;
  /** Signs the cookie. */
  secret: string;
}): SignIns {
  const https = baseUrl.startsWith('https:');
  const cookieName = https ? '__Host-sign-in' : 'sign-in';
  const auth = betterAuth({
    baseURL: baseUrl,
    secret,
    database: hashingAdapter(db),
    user: {
      modelName: 'people',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    session: {
      modelName: 'sign_ins',
      fields: {
        userId: 'person_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      expiresIn: idleSeconds,
      updateAge: noteUseSeconds,
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    advanced: {
      // Its check wants a table of passwords and outside sign-ins too, of which there are none.
      database: { generateId: 'serial', validateSchema: false },
      // The prefix __Host- takes the place of the one better-auth would add.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: https },
      cookiePrefix: 'sign-in',
      cookies: { session_token: { name: cookieName } },
      ipAddress: { disableIpTracking: true },
    },
    plugins: [
      magicLink({
        expiresIn: linkMinutes * 60,
        disableSignUp: true,
        storeToken: 'hashed',
        sendMagicLink: ({ token, metadata }) => {
          metadata?.take(token);
        },
      }),
    ],
    // Our own limits, origin check and log stand before it.
    rateLimit: { enabled: false },
    logger: { disabled: true },
    telemetry: { enabled: false },
  });
  const ours = (headers: Headers) => headers.getSetCookie().filter((cookie) => cookie.startsWith(`${cookieName}=`));

  const leave: SignIns['leave'] = async (headers) => {
    const { headers: answered } = await auth.api.signOut({ headers, returnHeaders: true });
    return ours(answered);
  };
  return {
    async createToken(email) {
      let token = '';
      const take = (made: string) => {
        token = made;
      };
      await auth.api.signInMagicLink({
        body: { email: standInFor(email), metadata: { take } },
        headers: new Headers(),
      });
      return token;
    },
    async enter(token, headers, clock) {
      await db.deleteFrom('sign_ins').where('expires_at', '<', trueTime(clock)).execute();
      try {
        const entered = await auth.api.magicLinkVerify({ query: { token }, headers, returnHeaders: true });
        const { id, email } = entered.response.user;
        const actor = await readActor(db, Number(id));
        if (actor) {
          const personId = actor.person.id;
          await endLinks(db, email);
          await writeAuditEntry(db, { at: clock.now(), personId, action: 'sign-in', subject: `person:${personId}` });
          return { ok: true, cookies: ours(entered.headers) };
        }
        await db.deleteFrom('sign_ins').where('token', '=', hashOfToken(entered.response.token)).execute();
        return { ok: false };
      } catch (error) {
        // It redirects to a page of its own when a link is not valid.
        if (isAPIError(error) && error.statusCode === 302) return { ok: false };
        throw error;
      }
    },
    async find(headers, clock) {
      const found = await withFailures(
        () => auth.api.getSession({ headers, returnHeaders: true }),
        ({ response }) => !response,
      );
      const { response } = found;
      if (!response) return { actor: null, cookies: ours(found.headers) };
      const tooOld = trueTime(clock).getTime() - response.session.createdAt.getTime() >= longestMs;
      // Ids are numbers here, text in better-auth.
      const actor = tooOld ? null : await readActor(db, Number(response.user.id));
      return actor ? { actor, cookies: ours(found.headers) } : { actor: null, cookies: await leave(headers) };
    },
    leave,
  };
}
