import { RouterContextProvider } from 'react-router';
import { drawContext } from '#app/documents/documents.ts';
import type { Settings } from '#app/env.server.ts';
import { openingSettingsContext } from '#app/features/catalogue/site/opening.server.ts';
import { liveContext } from '#app/features/inbox/conversations/live.server.ts';
import { emailReaderContext } from '#app/features/inbox/email/read.server.ts';
import { stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { ownDataContext } from '#app/features/people/own-data.ts';
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
import { readOwnData } from './own-data.ts';
import type { Services } from './services.ts';
import { readStatus } from './status.ts';

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
