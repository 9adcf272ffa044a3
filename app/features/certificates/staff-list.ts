import { href } from 'react-router';
import { listAddress } from '#app/ui/staff/list-address.ts';

/** The list of certificates for staff. */
export const certificateList = listAddress({
  path: href('/staff/certificates'),
  states: { look: 'To look at', issued: 'Issued', revoked: 'Revoked', withdrawn: 'Withdrawn' },
  usual: null,
});
export type CertificateFilter = ReturnType<typeof certificateList.filterOf>;
