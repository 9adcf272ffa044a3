import { href } from 'react-router';
import { readCompanyForStaff } from '#app/features/companies/company-page.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { type CompanyLinks, showCompany } from '#app/routes/company/company-shown.server.ts';

/** The page of an organisation as its managers see it (P116), with links to the pages for staff; null when there is none. */
export async function companyForStaff(academy: Academy, actor: StaffActor, id: number) {
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
