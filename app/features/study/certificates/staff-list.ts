import { href } from 'react-router';
import { keysetAddress, type ListView, oneOf } from '#app/ui/staff/keyset-address.ts';

export const certificateStates = { look: 'To look at', issued: 'Issued', revoked: 'Revoked', withdrawn: 'Withdrawn' };

/** The list of certificates for staff. */
export const certificateList = keysetAddress({
  path: href('/staff/certificates'),
  sorts: { issued: { kind: 'moment', descending: true } },
  usual: 'issued',
  filters: { state: oneOf(Object.keys(certificateStates)) },
  columns: { name: 'Name', course: 'Course', number: 'Number', state: 'Status', issued: 'Issued' },
});
export type CertificateColumn = (typeof certificateList.everyColumn)[number];
export type CertificateView = ReturnType<typeof certificateList.viewOf>;
export type CertificateSort = CertificateView extends ListView<infer Sort, string, string> ? Sort : never;
