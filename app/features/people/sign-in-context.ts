import { createContext } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import type { FormLimit } from '#app/http/form-limit.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import type { CookieMaker } from './cookies.server.ts';

/** The services behind the pages and links by which players and staff sign in. */
export type SignInServices = {
  db: Db;
  clock: Clock;
  academy: () => MailAcademy;
  cookies: CookieMaker;
  /** The public origin, which passkeys are bound to. */
  origin: string;
  /** Keys the hashes of codes and the challenges of passkeys; the same for every process. */
  secret: string;
  /** Seals the seeds of staff's apps; outside of the database. */
  seedKey: Uint8Array;
  /** The window and key of mails that people ask for. */
  limit: FormLimit;
  /** Wrong codes from mails to one address. */
  limitOfCodes: FormLimit;
  /** Wrong codes of the second factor of one member of staff. */
  limitOfFactor: FormLimit;
};
export const signInContext = createContext<SignInServices>();
