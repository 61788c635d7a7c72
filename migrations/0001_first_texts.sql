-- First texts of the public pages and of their heads. Facts in braces are filled in when a page is served
-- (domain/text-facts.ts). What is there already stays: what an administrator wrote is never overwritten.
INSERT INTO `page_content` (`id`, `title`, `slug`, `content`, `created_at`, `updated_at`)
VALUES (lower(hex(randomblob(16))), 'Terms of Service', 'terms', 'These terms are the agreement between you and {product}. By using the service you accept them. They are written to be read: if something is unclear, [ask us](/contact).

## What the service does

{product} keeps a file, or a transfer of many files, for as long as you choose and gives you a link to it. Whoever has the link can download what is behind it until it expires. When it expires, or when you delete it, the link stops working at once and the files are removed from storage.

{product} is made for passing files on. It is not a backup: keep a copy of everything that matters to you.

## Account guidelines

- {whoMayUpload} Nobody needs one to download.
- Give an email address that is yours and that you read. Links to confirm it and to set a new password go there.
- Choose a password that you use nowhere else, and keep it to yourself. You are responsible for what is done with your account.
- If you think that somebody else has got in, set a new password on [your account page](/account). That ends every other session.
- Do not open several accounts to get around the limits of a plan.
- You can delete your account at any time on [your account page](/account).

## Your files

Your files stay yours. You give us permission to do with them what the service needs, and nothing more: to store them, to check that they arrived whole, and to send them to whoever opens your link.

A link is a secret. Whoever has it can download the file and pass the link on, so share it with care.

## What you may not upload

You may not use {product} for

- anything that is against the law, or that you have no right to share
- depictions of the sexual abuse of children, which we report to the authorities
- malware, phishing pages or anything else that is meant to do harm
- other people’s private data without their consent
- sending unsolicited bulk messages, or overloading the service

If you come across such a file, [tell us](/contact) and include its link. We remove files that break these terms, and we may close the account that uploaded them.

## Expiry and deletion

You choose how long a file lives, within your plan. Its time counts from the moment its upload is complete. A large file whose expiry you leave at the default is kept for a number of hours that depends on its size, and the upload card says so before it starts. You can also delete a file at any moment. What has expired or been deleted cannot be brought back, not even by us.

Uploads that are left unfinished are removed after a day.

## Plans and payment

Each plan has limits on the size of a file, on how many files a transfer holds, on how much you upload in a month and on how long files are kept. They are listed on [the pricing page](/pricing). Paid plans are paid by the month, in advance, until you cancel. After you cancel, your plan stays as it is until the end of the month that is paid. Prices may change, and we tell you before a change affects you.

## If things go wrong

We work to keep the service available and your files safe until they expire, but we cannot promise that it is never interrupted or free of errors. As far as the law allows, we are not liable for lost files, lost profit or other indirect damage. Nothing in these terms limits rights that the law gives you and that cannot be waived.

## Ending

You can stop at any time by deleting your account. Its links end at once and its files are deleted. We may suspend or close an account that breaks these terms, and where we can we warn you first.

## Changes to these terms

When these terms change, the date at the top of this page changes with them. If you have an account and a change is to your disadvantage, we write to you before it takes effect.

## Contact

Write to us through [the contact page](/contact) or at [{contactEmail}](mailto:{contactEmail}).', 1795219200000, 1795219200000)
ON CONFLICT (`slug`) DO NOTHING;
--> statement-breakpoint
INSERT INTO `page_content` (`id`, `title`, `slug`, `content`, `created_at`, `updated_at`)
VALUES (lower(hex(randomblob(16))), 'Privacy Policy', 'privacy', '{product} is built to forget. This page says what we know about you, why, and when we no longer do.

## What we keep, and for how long

**Your account.** Your email address, your password in a form that cannot be read back, your plan, and how much you have uploaded in the current month. We keep them until you delete your account.

**Where you are signed in.** For each session the time, the browser and the network address, so that you can see and end your sessions on [your account page](/account).

**Your files.** The file itself, its name, size, type and checksum, when it was uploaded, when it expires and how often it was downloaded. A transfer of many files also has the title and the message that you give it. From the second it expires or is deleted, nobody can open it any more. The file is then removed from storage within minutes, and the entry about it 90 days later.

**A log of uploads.** For each upload the file’s name, size and type, the network address and the browser it came from, and whether it worked. It helps us to find faults and to stop abuse. Addresses are shortened after 30 days, so that they no longer point to a household, and the entries are deleted after one year.

**Messages you send us.** What you write in [the contact form](/contact), with the network address and the browser it came from. The address is shortened after 30 days and the message is deleted after 12 months.

**Payments.** Card payments are handled by Stripe. We never see your card number. We keep which plan you have paid for, and until when.

## What we do not do

- We show no advertisements and sell no data.
- We use no analytics and no trackers from others.
- We do not look into your files, except where we have to follow up a report of abuse.
- We do not record who downloads a file, only how often it was downloaded.

## Cookies

There is one cookie that matters: it keeps you signed in. It ends when you log out, or when you close the browser if you did not ask to be remembered. A second one keeps whether you chose light or dark, if you did. {visitorCookie} For a minute after a change of yours one more keeps which state of our database has it, so that every page shows it. Your browser also remembers for itself what the pages need, such as a file that waits for you to sign in.

## Who can see your files

Whoever has the link, until it expires. Links hold a random secret that cannot be guessed, and search engines are told to keep download pages out of their results. Files are encrypted on the way and in storage.

## Who works for us

The service runs on Cloudflare, which stores the files and the database and sends data to your browser. Emails go out through an email delivery provider, payments through Stripe. They get only what their part needs.

## Your rights

You can see your data on [your account page](/account) and on your dashboard, change your email address, and delete single files or the whole account. When you delete your account, its links end at once, its files are gone within an hour and everything else within a day.

For anything else, such as a copy of your data or a correction, write to [{contactEmail}](mailto:{contactEmail}). You may also complain to your data protection authority.

## Changes to this policy

When this policy changes, the date at the top of this page changes with it.', 1795219200000, 1795219200000)
ON CONFLICT (`slug`) DO NOTHING;
--> statement-breakpoint
INSERT INTO `page_content` (`id`, `title`, `slug`, `content`, `created_at`, `updated_at`)
VALUES (lower(hex(randomblob(16))), 'About {product}', 'about', '{product} exists for one small moment: you have a file, somebody else needs it, and email says that it is too large.

You drop the file, or a folder with thousands of them, you say how long they should live, you send the link. The link works from the first byte, so you need not wait for the upload to finish. Whoever opens it sees each file arrive and downloads it the moment it is whole: one, some, or all of them as a ZIP. They need no account and nothing to install.

## Why files should end

Most files that are sent have done their work within days. What stays behind is a risk: an old link in a mailbox that somebody else reads one day. The insect that lent us its name lives for a day and does what it has to do in that time. We think that a shared file should be like that.

So an end is part of every link. From that second on nobody can open it, and the file itself is deleted from storage shortly after. If you want a file to stay, you can say that too.

## How it works

Files travel from your browser straight to storage, in parts, several at a time. When the connection breaks, only the part that was on its way goes again. You can close the page, come back and go on. Each link has a secret of its own that cannot be guessed.

## How we pay for it

With [plans](/pricing) for people who send more or larger files. There are no advertisements, and your files are nobody’s product.', 1795219200000, 1795219200000)
ON CONFLICT (`slug`) DO NOTHING;
--> statement-breakpoint
INSERT INTO `seo_content` (`id`, `page`, `title`, `description`, `keywords`, `created_at`, `updated_at`)
VALUES
  (lower(hex(randomblob(16))), '/', '{product} · {tagline}', 'Upload a file or a whole folder, send the link, and it is gone when you said it should be. Up to {free.fileSize} a file for free, {professional.fileSize} on {professional.name}, {ultimate.fileSize} on {ultimate.name}.', 'file sharing, send large files, send folders, expiring download link, temporary file hosting, share a file', 1795219200000, 1795219200000),
  (lower(hex(randomblob(16))), '/features', 'Features · {product}', 'Drag-and-drop upload of files and folders, links that work from the first byte, expiry to the second, chunked uploads and previews. Files up to {free.fileSize} for free and {ultimate.fileSize} on {ultimate.name}.', 'file sharing features, expiring links, large file upload, resumable upload, encrypted file transfer', 1795219200000, 1795219200000),
  (lower(hex(randomblob(16))), '/pricing', 'Pricing · {product}', 'Free for files up to {free.fileSize}. {professional.name} takes files up to {professional.fileSize} and keeps them up to {professional.longestExpiry}. {ultimate.name} takes {ultimate.fileSize} and keeps them as long as you like.', 'file sharing pricing, file transfer plans, send large files price', 1795219200000, 1795219200000),
  (lower(hex(randomblob(16))), '/chunked-upload', 'Large File Upload · {product}', 'Upload a large file in chunks. A chunk that fails goes again, and only that chunk.', 'large file upload, chunked upload, upload big files', 1795219200000, 1795219200000),
  (lower(hex(randomblob(16))), '/direct-upload', 'Direct-to-S3 Upload · {product}', 'Upload from your browser straight to object storage, in parts and several at a time.', 'direct upload, S3 upload, browser upload, multipart upload', 1795219200000, 1795219200000),
  (lower(hex(randomblob(16))), '/about', 'About {product}', 'Why shared files should end, and how {product} passes them on: one card, one link, and a time at which it is over.', 'about {product}, temporary file sharing', 1795219200000, 1795219200000),
  (lower(hex(randomblob(16))), '/contact', 'Contact · {product}', 'Write to the people who make {product}: a question, an idea, or something that does not work.', 'contact {product}, support, help', 1795219200000, 1795219200000),
  (lower(hex(randomblob(16))), '/privacy', 'Privacy Policy · {product}', 'What {product} knows about you, why, and when it forgets it.', 'privacy policy, data protection, data retention', 1795219200000, 1795219200000),
  (lower(hex(randomblob(16))), '/terms', 'Terms of Service · {product}', 'The agreement between you and {product}: accounts, files, expiry, plans.', 'terms of service, acceptable use', 1795219200000, 1795219200000)
ON CONFLICT (`page`) DO NOTHING;
