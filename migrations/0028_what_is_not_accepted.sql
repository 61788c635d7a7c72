UPDATE `page_content`
SET `content` = replace(`content`, '**Payments.** Card payments', '**Checksums of files that were taken down.** So that such a file does not come back, we keep its checksum, which says nothing about its content or its sender.

**What a virus scanner says.** Where this site has one, files that are not encrypted from end to end are checked by it. We keep the result and its date with the file.

**Payments.** Card payments'),
    `updated_at` = max(`updated_at`, 1795824000000)
WHERE `slug` = 'privacy' AND instr(`content`, '**Payments.** Card payments') > 0;
--> statement-breakpoint
UPDATE `page_content`
SET `content` = replace(`content`, '- We do not look into your files, except where we have to follow up a report of abuse.', '- We do not look into your files, except where we have to follow up a report of abuse. Programs compare checksums, recognise programs and scripts by their first bytes, and, where this site has a virus scanner, look for viruses.'),
    `updated_at` = max(`updated_at`, 1795824000000)
WHERE `slug` = 'privacy' AND instr(`content`, '- We do not look into your files, except where we have to follow up a report of abuse.') > 0;
--> statement-breakpoint
UPDATE `page_content`
SET `content` = replace(`content`, 'They get only what their part needs.', 'They get only what their part needs. A virus scanner, where this site has one, gets the bytes of a file and neither its name nor its sender. Where this site asks whether you are a person, Cloudflare’s Turnstile checks your browser on a page of its own, and gets your network address.'),
    `updated_at` = max(`updated_at`, 1795824000000)
WHERE `slug` = 'privacy' AND instr(`content`, 'They get only what their part needs.') > 0;
