import { href, Link } from 'react-router';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/login-left';
import { LoginFrame } from './frame/login-frame.tsx';

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Your account is closed', 'We delete it after seven days.', noPage);

/** The page for a player who has just closed their account (P58). */
export default function LoginLeft() {
  return (
    <LoginFrame title="Your account is closed">
      <p role="status" className="mt-3 mb-8">
        We logged out every browser and emailed all addresses of the account. After seven days we delete it. Until then
        you can log in, or use the link in the email, and keep it.
      </p>
      <Link to={href('/')} className={button.primary}>
        Home
      </Link>
    </LoginFrame>
  );
}
