import { data, href } from 'react-router';
import { readCompanyForStaff } from '#app/features/companies/company-page.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { type Academy, academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { type CompanyLinks, showCompany } from '#app/routes/company/company-shown.server.ts';
import { CompanyView, rowLine } from '#app/routes/company/company-view.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/organisation-page';
import { idOf } from './offer-words.ts';

/** The page of an organisation as its managers see it (P116), with links to the pages for staff; null when there is none. */
async function companyForStaff(academy: Academy, actor: StaffActor, id: number) {
  requirePermission(actor, 'companies:read');
  const records = await readCompanyForStaff(academy.db, actor, { id, now: momentOf(academy).now });
  return records && showCompany(academy, records, links);
}

const links: CompanyLinks = {
  enrolment: ({ reference }) => href('/staff/enrolments/:reference', { reference }),
  document(_, { document }) {
    const [kind = '', id = ''] = document.split(':');
    return href('/staff/documents/:kind/:id', { kind, id });
  },
  offer: ({ id }) => href('/staff/offers/:id', { id: String(id) }),
};

/** The page of an organisation as its managers see it, for staff, who act on their own pages (P116). */
export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'companies:read');
  const company = await unlessDatabaseAway(() => companyForStaff(context.get(academyContext), actor, idOf(id)));
  if (!company) throw data('There is no such organisation.', { status: 404 });
  return { id, company };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `${loaderData.company.name}, as its managers see it` : 'Organisation');

export default function OrganisationPage({ loaderData: { id, company } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title={`${company.name}, as its managers see it`}
        beside={<TextLink to={href('/staff/organisations/:id', { id })}>What is agreed, and its enrolments</TextLink>}
      />
      <CompanyView
        company={company}
        file={null}
        managers={
          <section>
            <h2 className="mb-3 text-2xl">Managers</h2>
            <ul>
              {company.managers.map((manager) => (
                <li key={manager.id} className={rowLine}>
                  <b className="wrap-anywhere">{manager.name ?? manager.email}</b>
                  {!manager.proved && <span className="block text-sm text-mute">Has not logged in yet</span>}
                </li>
              ))}
            </ul>
          </section>
        }
      />
    </>
  );
}
