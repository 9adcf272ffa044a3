import { button } from '#app/ui/button.ts';

/** The way into a class that is taught online, for those who are in it; never on a public page. */
export function JoinLink({ link }: { link: string }) {
  return (
    <p>
      <a href={link} rel="noreferrer" className={button.primary}>
        Join the class online
      </a>
      <span className="mt-2 block text-sm wrap-anywhere text-mute">{link}</span>
    </p>
  );
}
