import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/** Tells a visitor that staff answered in a conversation. It quotes no message: anyone may have typed the address. */
export function conversationAnswer({ link, academy }: { link: string; academy: MailAcademy }): RenderedMail {
  return renderMail({
    subject: 'Our staff have answered your chat',
    heading: 'Our staff have answered your chat',
    parts: [
      'You had left the page when the answer came. You can read it there and write back.',
      { action: 'Read the answer', href: link },
      'Anyone with this link can read the conversation, so keep it private.',
    ],
    academy,
    reason:
      'You get this because you gave this address in a chat on our website. We send at most one of these an hour.',
  });
}
