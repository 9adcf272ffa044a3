import { data, type RouterContextProvider } from 'react-router';
import { readCompany } from '#app/features/companies/company-page.server.ts';
import { isManager } from '#app/features/companies/queries.server.ts';
import { playerFor } from '#app/features/people/players.server.ts';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { accountTokens } from '#app/outbox/private-links.server.ts';
import { managersLinks, showCompany } from './company-shown.server.ts';

/** The signed-in player and the organisation of an address; the id is 0 for what is no number. */
export const managerOf = (context: Readonly<RouterContextProvider>, id: string) => ({
  personId: playerFor(context).person.id,
  organisationId: /^\d{1,15}$/.test(id) ? Number(id) : 0,
});

/** The page of an organisation for one of its managers. Throws a 404 for everybody else, as if there were none. */
export async function companyFor(context: Readonly<RouterContextProvider>, id: string) {
  const academy = context.get(academyContext);
  const { db } = academy;
  const { secret } = context.get(signInContext);
  const { signIn } = playerFor(context);
  const manager = managerOf(context, id);
  const shown = await unlessDatabaseAway(async () => {
    if (!(await isManager(db, manager))) return null;
    const records = await readCompany(db, manager.organisationId, momentOf(academy).now);
    if (!records) return null;
    const ids = records.enrolments.map(({ enrolment }) => enrolment.id);
    const tokens = await accountTokens(
      db,
      { signInId: signIn.id, secret },
      ids.map((enrolmentId) => ({ enrolmentId })),
    );
    const tokenOf = new Map(ids.map((enrolmentId, at) => [enrolmentId, tokens[at] ?? '']));
    return {
      records,
      tokenOf,
      shown: await showCompany(academy, records, managersLinks(tokenOf, academy.forms.secret)),
    };
  });
  if (!shown) throw data(null, { status: 404 });
  return { ...shown, personId: manager.personId };
}
