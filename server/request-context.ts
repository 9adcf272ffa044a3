import { RouterContextProvider } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { drawContext } from '#app/documents/documents.ts';
import type { Settings } from '#app/env.server.ts';
import { openingSettingsContext } from '#app/features/catalogue/site/opening.server.ts';
import { liveContext } from '#app/features/inbox/conversations/live.server.ts';
import { emailReaderContext } from '#app/features/inbox/email/read.server.ts';
import { stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { heldPersonOf } from '#app/features/people/addresses.server.ts';
import { type OwnData, ownDataContext } from '#app/features/people/own-data.ts';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { badgesContext } from '#app/features/study/badges/badge.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { backupStateContext } from '#app/http/backup-state.server.ts';
import type { VisitorNetworks } from '#app/http/client-address.server.ts';
import { baseUrlContext, clientAddressContext, logContext, requestInfoContext } from '#app/http/context.ts';
import { healthContext } from '#app/http/health.server.ts';
import type { HttpEnv, Log } from '#app/http/log.server.ts';
import { statusContext } from '#app/http/status.server.ts';
import { filesContext, takeTurnContext } from '#app/http/traffic.server.ts';
import { type Vitals, vitalsContext } from '#app/http/vitals.server.ts';
import { localMailContext } from '#app/outbox/local-mail.server.ts';
import { mailHealthContext } from '#app/outbox/mail-health.server.ts';
import { privateLinksContext } from '#app/outbox/private-links.server.ts';
import { previewedModuleContext } from '#app/routes/links/enrolment/previewed-module.ts';
import { renderPageContext } from '#app/routes/staff/content/render-page.ts';
import { readHealth } from './health.ts';
import { openingSettingsOf } from './opening-settings.ts';
import { exportHeld } from './personal-records.ts';
import type { Services } from './services.ts';
import { readStatus } from './status.ts';

/**
 * All that is held about a person, for themselves (P58): what `npm run privacy -- export` prints, without keys that say
 * nothing to people, and without what other attendees of an enrolment said of themselves.
 */
async function readOwnData(db: Db, personId: number): Promise<OwnData> {
  const held = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const person = await heldPersonOf(trx, personId);
      return { person, parts: await exportHeld(trx, person) };
    });
  const own = new Set(held.person.addresses);
  return Object.fromEntries(
    Object.entries(held.parts).map(([part, records]) => [part, records.map((record) => shown(record, own) as object)]),
  );
}

/** Keys and hashes by which the program finds or compares something. */
const keys = /^(?:mailbox|network|person_id|idempotency_key|dedupe_key|.*_hash|.*_token|token)$/;
/** Fields of other attendees that a buyer does not see. */
const ofOthers = /^(?:needs|under_18|guardian_name|guardian_email)$/;

function shown(value: unknown, own: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => shown(one, own));
  if (value === null || typeof value !== 'object' || value instanceof Date || Buffer.isBuffer(value)) return value;
  const email = 'email' in value && typeof value.email === 'string' ? value.email.toLowerCase() : null;
  const others = 'guardian_name' in value && !(email !== null && own.has(email));
  const kept = Object.entries(value).filter(([name]) => !keys.test(name) && !(others && ofOthers.test(name)));
  return Object.fromEntries(kept.map(([name, part]) => [name, shown(part, own)]));
}

type Program = {
  settings: Settings;
  log: Log;
  vitals: Vitals | null;
  render: (request: Request, context: RouterContextProvider) => Promise<Response>;
};

/** The facts of a request before its page is chosen. */
type Asked = {
  info: HttpEnv['Variables']['info'];
  /** Whether the computer that asks may read the mail that is written to files. */
  mayReadMail: boolean;
  address: string;
  networks: VisitorNetworks;
};

/** Makes what loaders and actions of a request need of the program. */
export function requestContexts({ settings, log, vitals, render }: Program) {
  return function contextOf(asked: Asked, open: Services): RouterContextProvider {
    const { info, mayReadMail, address, networks } = asked;
    const context = new RouterContextProvider();
    context.set(requestInfoContext, info);
    context.set(logContext, log);
    context.set(baseUrlContext, settings.baseUrl);
    context.set(snapshotContext, open.snapshot);
    context.set(academyContext, open.academy);
    context.set(signInContext, open.signIn);
    context.set(openingSettingsContext, openingSettingsOf(settings));
    context.set(liveContext, open.live);
    context.set(stripeContext, open.stripe);
    context.set(clientAddressContext, address);
    context.set(localMailContext, mayReadMail ? open.database.db : null);
    context.set(privateLinksContext, open.links);
    context.set(mailHealthContext, open.mailHealth);
    context.set(backupStateContext, async () => open.backups?.state() ?? null);
    context.set(healthContext, () => readHealth(open, settings));
    context.set(statusContext, () => readStatus(open));
    context.set(vitalsContext, vitals);
    context.set(badgesContext, open.badges);
    context.set(emailReaderContext, open.emails);
    context.set(filesContext, open.traffic.files);
    context.set(ownDataContext, readOwnData);
    context.set(drawContext, (document) => open.documents.draw(document, networks.customer));
    context.set(takeTurnContext, (task) => open.traffic.turns.take(networks, task));
    context.set(renderPageContext, (page, store, module) => {
      const own = contextOf({ ...asked, address: '' }, open);
      own.set(snapshotContext, store);
      if (module) own.set(previewedModuleContext, module);
      own.set(requestInfoContext, { ...info });
      return render(new Request(settings.baseUrl + page), own);
    });
    return context;
  };
}
