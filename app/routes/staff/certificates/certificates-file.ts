import { staffFor } from '#app/features/people/staff-only.server.ts';
import type { Certificate } from '#app/features/study/certificates/certificate.ts';
import { inFours } from '#app/features/study/certificates/number.ts';
import { everyCertificate } from '#app/features/study/certificates/staff-list.server.ts';
import { type CertificateColumn, certificateList } from '#app/features/study/certificates/staff-list.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { type CsvColumn, csvFile, csvInstant } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/certificates-file';

const columnsOf: Record<CertificateColumn, CsvColumn<Certificate>> = {
  name: ['Name', ({ holderName }) => holderName],
  course: ['Course', ({ facts }) => facts.course.title],
  number: ['Number', ({ number }) => inFours(number)],
  state: ['Status', ({ state }) => state],
  issued: ['Issued', ({ issuedAt }) => csvInstant(issuedAt)],
};

/** The rows of the list of certificates that an address shows, as CSV (P78). */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const view = certificateList.viewOf(url.searchParams);
  return csvFile(academy, actor, {
    list: 'certificates',
    columns: view.columns.map((column) => columnsOf[column]),
    pieces: everyCertificate(academy.db, actor, view, momentOf(academy)),
    filters: certificateList.queryOf(view).toString(),
  });
}
