import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = { reference: string; link: string; academy: MailAcademy };

/** Asks the owner of an address whether we may send invoices there (P30). It repeats no text of the form. */
export function accountsAddress({ reference, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: `May we send invoices to this address? ${reference}`,
    heading: 'May we send invoices to this address?',
    parts: [
      `Someone who enrolled with ${academy.name} named this address for copies of the tax invoices. We send none before you agree.`,
      'If you agree, open the page and press its button. We then email you the tax invoices so far, and later ones.',
      { action: 'Agree to get the invoices', href: link },
    ],
    academy,
    reason:
      'You get this because a buyer named this address for invoices. If you do not expect any, do nothing: we send no invoices here.',
  });
}
