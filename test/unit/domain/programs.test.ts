import { describe, expect, it } from "vitest";
import { basicPassword, wantsBytes } from "#domain/programs.ts";

type Sent = Record<string, string>;

const asks = (sent: Sent) => wantsBytes((name) => sent[name]);

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const SAFARI =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.6.1 Safari/605.1.15";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1";
const PAGES = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const NAVIGATES = {
  "sec-fetch-site": "none",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
  "sec-fetch-user": "?1",
};

/** As they were recorded. The name of a program stands for those that send the same. */
describe("a program", () => {
  it.each<[string, Sent]>([
    ["curl", { "user-agent": "curl/7.88.1", accept: "*/*" }],
    ["libcurl without a name", { accept: "*/*" }],
    ["wget", { "user-agent": "Wget/1.21.3", accept: "*/*", "accept-encoding": "identity" }],
    ["wget of BusyBox", { "user-agent": "Wget" }],
    ["wget2", { "user-agent": "wget2/1.99.1", accept: PAGES, "accept-encoding": "gzip, deflate, bzip2, xz, lzma, br" }],
    ["axel", { "user-agent": "Axel/2.17.11 (linux-gnu)", accept: "*/*", range: "bytes=0-" }],
    ["lftp", { "user-agent": "lftp/4.9.2", accept: "*/*" }],
    ["rclone", { "user-agent": "rclone/v1.60.1", "accept-encoding": "gzip" }],
    ["aria2", { "user-agent": "aria2/1.36.0", accept: "*/*,application/metalink4+xml,application/metalink+xml" }],
    ["HTTPie", { "user-agent": "HTTPie/3.2.1", accept: "*/*", "accept-encoding": "gzip, deflate" }],
    ["python-requests", { "user-agent": "python-requests/2.34.2", accept: "*/*", "accept-encoding": "gzip, deflate" }],
    ["urllib", { "user-agent": "Python-urllib/3.11", "accept-encoding": "identity" }],
    ["httpx", { "user-agent": "python-httpx/0.23.3", accept: "*/*" }],
    ["aiohttp", { "user-agent": "Python/3.11 aiohttp/3.9.1", accept: "*/*" }],
    ["Go", { "user-agent": "Go-http-client/2.0", "accept-encoding": "gzip" }],
    ["Java's URLConnection", { "user-agent": "Java/17.0.15", accept: "text/html, image/gif, image/jpeg, */*; q=0.2" }],
    ["Java's HttpClient", { "user-agent": "Java-http-client/17.0.15" }],
    ["Apache HttpClient", { "user-agent": "Apache-HttpClient/4.5.14 (Java/17.0.15)" }],
    ["OkHttp", { "user-agent": "okhttp/4.12.0", "accept-encoding": "gzip" }],
    ["Ruby", { "user-agent": "Ruby", accept: "*/*" }],
    ["Perl", { "user-agent": "libwww-perl/6.68", te: "deflate,gzip;q=0.3" }],
    ["PHP, which sends nothing", {}],
    ["Node's fetch", { "user-agent": "node", accept: "*/*", "accept-language": "*", "sec-fetch-mode": "cors" }],
    ["axios", { "user-agent": "axios/1.7.9", accept: "application/json, text/plain, */*" }],
    ["BITS", { "user-agent": "Microsoft BITS/7.8", accept: "*/*" }],
    [
      "PowerShell 7",
      { "user-agent": "Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.22631; en-US) PowerShell/7.4.1" },
    ],
    [
      "PowerShell 5",
      { "user-agent": "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.2506" },
    ],
    ["one that nobody has written yet", { "user-agent": "fetcher/0.1", accept: "*/*" }],
  ])("gets the bytes: %s [SEND-6]", (_name, sent) => {
    expect(asks(sent)).toBe(true);
  });
});

describe("a browser", () => {
  it.each<[string, Sent]>([
    ["Chromium", { "user-agent": CHROME, accept: PAGES, "accept-language": "de,en;q=0.9", ...NAVIGATES }],
    ["Chromium without TLS", { "user-agent": CHROME, accept: PAGES, "accept-language": "de,en;q=0.9" }],
    ["Firefox", { "user-agent": FIREFOX, accept: PAGES, "accept-language": "en-US,en;q=0.5", ...NAVIGATES }],
    ["Firefox without TLS", { "user-agent": FIREFOX, accept: PAGES, "accept-language": "en-US,en;q=0.5" }],
    ["Safari 15, which has no Sec-Fetch", { "user-agent": SAFARI, accept: PAGES, "accept-language": "en-GB" }],
    ["Safari of an iPhone of 2013", { "user-agent": IPHONE, accept: PAGES, "accept-language": "de-de" }],
    ["its script, which reads a page's data", { "user-agent": IPHONE, accept: "*/*" }],
    ["one with another name", { "user-agent": "Kiosk/1", accept: "*/*", ...NAVIGATES }],
    [
      "Lynx",
      { "user-agent": "Lynx/2.9.0dev.12", accept: "text/html, text/plain, */*;q=0.01", "accept-language": "en" },
    ],
    ["w3m", { "user-agent": "w3m/0.5.3+git20230121", accept: "text/html, text/*;q=0.5, image/*, application/*" }],
    ["Links", { "user-agent": "Links (2.28; Linux x86_64)", accept: "*/*", "accept-language": "en,*;q=0.1" }],
    ["ELinks", { "user-agent": "ELinks/0.13.2 (textmode; Linux; -)", accept: "*/*", "accept-language": "en" }],
    ["curl that asks for the page", { "user-agent": "curl/8.5.0", accept: "text/html" }],
  ])("gets the page: %s", (_name, sent) => {
    expect(asks(sent)).toBe(false);
  });
});

describe("a robot", () => {
  it.each([
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Slack-ImgProxy (+https://api.slack.com/robots)",
    "WhatsApp/2.23.20.0",
    "WhatsApp/2",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "facebookexternalhit/1.1",
    "facebookexternalhit/1.1;line-poker/1.0",
    "facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984",
    "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
    "Twitterbot/1.0",
    "TelegramBot (like TwitterBot)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Discordbot/2.0 (curl/7)",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
    "SkypeUriPreview Preview/0.5",
    "Synapse (bot; +https://github.com/matrix-org/synapse)",
    "Mattermost-Bot/1.1",
    "Mastodon/4.3.2 (http.rb/5.2.0; +https://mastodon.social/)",
    "Pleroma 2.6.0; https://social.example <admin@social.example>",
    "Viber/18.2",
    "Snapchat/10.12.0.2 (iPhone8,1; iOS 10.3.2; gzip)",
    "Valve/Steam HTTP Client 1.0 (http://steamcommunity.com)",
    "Discourse Forum Onebox v3.4",
    "Iframely/1.3.1 (+https://iframely.com/docs/about)",
    "Microsoft Office Existence Discovery",
    "Mozilla/4.0 (compatible; ms-office; MSOffice 16)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Googlebot/2.1 (+http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
    "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
    "DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
    "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
    "Scrapy/2.11.0 (+https://scrapy.org)",
    "check_http/v2.3.3 (monitoring-plugins 2.3.3)",
  ])("gets the page, with its card, and takes no download: %s [SEND-13]", (agent) => {
    for (const accept of [undefined, "*/*", PAGES]) {
      expect(asks({ "user-agent": agent, ...(accept && { accept }), range: "bytes=0-32768" })).toBe(false);
    }
  });
});

describe("the password of Basic", () => {
  it.each([
    ["Basic OnNlc2FtZQ==", "sesame"],
    ["basic OnNlc2FtZQ==", "sesame"],
    ["Basic YWRhOmE6Yg==", "a:b"],
    ["Basic OsOpw6k=", "éé"],
    ["Basic Og==", ""],
    ["Basic YWRh", null],
    ["Basic !", null],
    ["Basic A", null],
    ["Bearer OnNlc2FtZQ==", null],
    ["", null],
  ])("of %j is %j", (authorization, password) => {
    expect(basicPassword(authorization)).toBe(password);
  });
});
