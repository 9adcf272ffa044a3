import type { ReactNode } from 'react';
import type { Site } from './site.ts';

const hours = [
  ['Mon-Fri', '9:00 AM-6:00 PM'],
  ['Sat', '10:00 AM-4:00 PM'],
  ['Sun', 'closed'],
] as const;

/** Telephone, e-mail, address and business hours of the academy. */
export function ContactDetails({ site }: { site: Site }) {
  return (
    <dl className="grid gap-5 rounded-card border border-line bg-card p-6">
      <Detail label="Phone">
        <a href={`tel:${site.phone.replaceAll(/[^\d+]/g, '')}`} className="underline underline-offset-4">
          {site.phone}
        </a>
      </Detail>
      <Detail label="Email">
        <a href={`mailto:${site.email}`} className="underline underline-offset-4">
          {site.email}
        </a>
      </Detail>
      <Detail label="Address">
        {site.street}
        <br />
        {site.city}, {site.state} {site.postcode}, Australia
      </Detail>
      <Detail label="Business hours">
        {hours.map(([days, time]) => (
          <span key={days} className="tabular block">
            {days} {time}
          </span>
        ))}
        <span className="block text-sm text-mute">Brisbane time (AEST)</span>
      </Detail>
    </dl>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-mute">{label}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}
