import type { ReactNode } from 'react';
import { businessHours } from '#app/lib/business-hours.ts';
import { formatTime } from '#app/lib/wall-clock.ts';
import type { Site } from './site.ts';

/** Telephone, email, address and business hours of the academy. */
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
        {businessHours.map(({ days, from, to }) => (
          <span key={days} className="tabular block">
            {days} {formatTime(from)}-{formatTime(to)}
          </span>
        ))}
        <span className="block">Sun closed</span>
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
