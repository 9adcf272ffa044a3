import type { MailAcademy } from '#app/emails/layout.tsx';
import type { Site } from './site.ts';

/** The academy's details as its e-mails state them; `baseUrl` is the public origin. */
export function mailAcademy(site: Site, baseUrl: string): MailAcademy {
  const { name, street, city, state, postcode, phone, email } = site;
  return { name, address: `${street}, ${city}, ${state} ${postcode}`, phone, email, url: baseUrl };
}
