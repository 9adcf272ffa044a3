import { button } from '#app/ui/button.ts';

/** The joining link of an online class, for its attendees; never on a public page. */
export function JoinLink({ link, text = 'Join the class online' }: { link: string; text?: string }) {
  return (
    <p>
      <a href={link} rel="noreferrer" className={button.primary}>
        {text}
      </a>
      <span className="mt-2 block text-sm wrap-anywhere text-mute">{link}</span>
    </p>
  );
}
