import { contactAcknowledgement } from './contact-acknowledgement.ts';
import type { MailAcademy, RenderedMail } from './layout.tsx';

const academy: MailAcademy = {
  name: 'Bowerbird Academy',
  address: 'Level 4, 120 Edward Street, Brisbane, Queensland 4000',
  phone: '(07) 7010 0142',
  email: 'hello@bowerbirdacademy.example',
  url: 'http://localhost:3000',
};
const reference = 'BB-7KQ2MX';

/** Every e-mail with sample data, by its kind: for `npm run mail` and for tests. */
export const mailSamples: Readonly<Record<string, () => RenderedMail>> = {
  'contact-acknowledgement': () => contactAcknowledgement({ reference, academy }),
};
