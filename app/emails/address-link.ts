import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** The page that adds the address, and for how many minutes it works. */
  link: string;
  minutes: number;
  academy: MailAcademy;
};

/** Proves that a player reads a further address of theirs (P50). It names no other address. */
export function addressLink({ link, minutes, academy }: Props): RenderedMail {
  return renderMail({
    subject: 'Add this address to your account',
    heading: 'Add this address to your account',
    parts: [
      `Open the link in the browser in which you are logged in, and press the button there. It works once, for ${minutes} minutes.`,
      'Everything you bought or attend with this address is then listed in your account.',
      { action: 'Add this address', href: link },
    ],
    academy,
    reason:
      'You get this because someone who is logged in on our website gave this address as theirs. If it was not you, ignore this email: nothing happens.',
  });
}
