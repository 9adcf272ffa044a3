import type { MailAcademy } from '#app/emails/layout.tsx';
import type { Site } from './site.ts';

/** The academy's details as its emails state them; `baseUrl` is the public origin. A telephone number never breaks. */
export function mailAcademy(site: Site, baseUrl: string): MailAcademy {
  const { name, legalName, abn, street, city, state, postcode, phone, email } = site;
  const address = `${street}, ${city}, ${state} ${postcode}`;
  const company = `${legalName}, ABN\u00a0${abn.replaceAll(' ', '\u00a0')}`;
  return { name, company, address, phone: phone.replaceAll(' ', '\u00a0'), email, url: baseUrl };
}
