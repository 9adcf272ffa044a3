import type { CrossFault } from '#app/features/content/faults.ts';
import type { Content } from '#app/features/content/schema.ts';

/** Pass rates without a source, and partners without a description of the partnership (P6). */
export function missingSources({ certifications, partners }: Content): CrossFault[] {
  return [
    ...certifications.flatMap((group, at) =>
      group.certifications.flatMap(({ passRateSource }, inner): CrossFault[] =>
        passRateSource
          ? []
          : [
              {
                file: { name: 'certifications' },
                path: [at, 'certifications', inner, 'passRate'],
                message: 'needs "passRateSource"',
              },
            ],
      ),
    ),
    ...partners.flatMap(({ meaning }, at): CrossFault[] =>
      meaning ? [] : [{ file: { name: 'partners' }, path: [at, 'name'], message: 'needs "meaning"' }],
    ),
  ];
}
