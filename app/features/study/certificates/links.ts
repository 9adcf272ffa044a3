import { href } from 'react-router';
import { monthOf } from '#app/lib/dates.ts';
import type { Certificate } from './certificate.ts';

/** The public page of a certificate under the public origin. */
export const publicAddress = (origin: string, number: string): string =>
  origin + href('/certificates/:number', { number });

/** The address at which a number is checked, for print: without its protocol. */
export const printedAddress = (origin: string): string => `${new URL(origin).host}${href('/certificates')}`;

/** LinkedIn’s form for a licence or certification: its fields, and a link that fills them in. */
export function linkedInOf({ number, facts }: Pick<Certificate, 'number' | 'facts'>, issuedOn: string, origin: string) {
  const url = publicAddress(origin, number);
  const [year = '', month = ''] = issuedOn.split('-');
  const fields = [
    ['Name', facts.course.title],
    ['Issuing organisation', facts.issuer.name],
    ['Issue date', `${monthOf(issuedOn)} ${year}`],
    ['Credential ID', number],
    ['Credential URL', url],
  ] as const;
  const query = new URLSearchParams({
    startTask: 'CERTIFICATION_NAME',
    name: facts.course.title,
    organizationName: facts.issuer.name,
    issueYear: year,
    issueMonth: String(Number(month)),
    certUrl: url,
    certId: number,
  });
  return { fields, link: `https://www.linkedin.com/profile/add?${query}` };
}
