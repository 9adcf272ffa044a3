import { href, Link } from 'react-router';
import type { Site } from '#app/features/catalogue/site/site.ts';
import { Logo } from '#app/ui/logo.tsx';
import { SchemeSwitch } from '#app/ui/scheme-switch.tsx';

const columns = [
  {
    title: 'Learn',
    links: [
      [href('/courses'), 'Courses'],
      [href('/certifications'), 'Certifications'],
      [href('/quest-lines'), 'Quest lines'],
      [href('/combos'), 'Combos'],
      [href('/training-calendar'), 'Training Calendar'],
      [href('/free-resources'), 'Free Resources'],
    ],
  },
  {
    title: 'Academy',
    links: [
      [href('/about'), 'About Us'],
      [href('/contact'), 'Contact'],
      [href('/faq'), 'FAQ'],
      [href('/help'), 'Help'],
      [href('/certificates'), 'Verify a certificate'],
    ],
  },
  {
    title: 'Legal',
    links: [
      [href('/privacy'), 'Privacy'],
      [href('/terms'), 'Terms'],
      [href('/claims'), 'Figures and sources'],
    ],
  },
] as const;

export function SiteFooter({ site }: { site: Site }) {
  return (
    <footer className="on-satin bg-satin text-on-satin-mute">
      <div className="page grid grid-cols-2 gap-x-6 gap-y-8 py-10 sm:gap-10 sm:py-14 lg:grid-cols-[1.6fr_1fr_1fr_1fr]">
        <div className="max-sm:col-span-2">
          <p className="flex items-center gap-2.5 font-display text-xl font-bold text-on-satin">
            <Logo className="size-9" />
            {site.name}
          </p>
          <p className="mt-4">{site.city}, Queensland</p>
          <p className="mt-1">
            <FooterLink href={`mailto:${site.email}`}>{site.email}</FooterLink>
          </p>
          <p className="mt-1">
            <FooterLink href={`tel:${site.phone.replaceAll(/[^\d+]/g, '')}`}>{site.phone}</FooterLink>
          </p>
          {site.social.length > 0 && (
            <ul className="mt-5 flex flex-wrap gap-x-5 gap-y-2">
              {site.social.map(({ name, url }) => (
                <li key={name}>
                  <FooterLink href={url}>{name}</FooterLink>
                </li>
              ))}
            </ul>
          )}
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-label={title} className="group max-sm:last:col-span-2">
            <h2 className="text-base text-on-satin">{title}</h2>
            <ul className="mt-2 grid gap-1 max-sm:group-last:flex max-sm:group-last:flex-wrap max-sm:group-last:gap-x-5">
              {links.map(([to, text]) => (
                <li key={to}>
                  <Link
                    to={to}
                    prefetch="intent"
                    className="inline-block py-1 underline-offset-4 hover:text-on-satin hover:underline"
                  >
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <div className="border-t border-satin-line">
        <div className="page flex flex-wrap items-center justify-between gap-4 py-4 text-sm">
          {/* Two parts of a row, so that no comma is left at the end of a line. */}
          <p className="flex flex-wrap gap-x-4">
            <span>
              © {site.copyrightYear} {site.legalName}
            </span>{' '}
            <span className="whitespace-nowrap">ABN {site.abn}</span>
          </p>
          <SchemeSwitch />
        </div>
      </div>
    </footer>
  );
}

function FooterLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} className="inline-block py-0.5 wrap-anywhere underline-offset-4 hover:text-on-satin hover:underline">
      {children}
    </a>
  );
}
