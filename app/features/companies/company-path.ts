import { href } from 'react-router';

/** The page of an organisation for its managers (P116), with the public origin, for mails. */
export const companyUrl = ({ url }: { url: string }, organisationId: number): string =>
  url + href('/company/:id', { id: String(organisationId) });
