// The life of a payment from C#, with nothing but the standard library: create, pay, charge, refund, and check a webhook.
//
// CHECKOUT_URL names a Kassa, SHOP_KEY holds the secret key of a test merchant. With Mono:
//   mcs -out:shop.exe -r:System.Net.Http -r:System.Runtime.Serialization -r:System.Xml.Linq shop.cs && mono shop.exe
using System;
using System.Globalization;
using System.Linq;
using System.Net.Http;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using System.Xml;
using System.Xml.Linq;

/// <summary>What Kassa refused: its status, its code, and the answer, which says what is wrong with which field.</summary>
public sealed class KassaException : Exception
{
    public int Status { get; }
    public string Code { get; }

    public KassaException(int status, string text)
        : base(status + " " + text)
    {
        Status = status;
        try
        {
            Code = Json.Read(text).Element("code")?.Value;
        }
        catch (Exception error) when (error is XmlException || error is InvalidOperationException)
        {
            // A 401 has no body, and what stands between us and Kassa may answer with something else.
        }
    }
}

/// <summary>JSON as elements by their names, which the standard library has everywhere.</summary>
public static class Json
{
    public static XElement Read(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        using (var reader = JsonReaderWriterFactory.CreateJsonReader(bytes, XmlDictionaryReaderQuotas.Max))
            return XElement.Load(reader);
    }
}

public sealed class Kassa
{
    const int Tries = 5;
    readonly HttpClient http = new HttpClient { Timeout = TimeSpan.FromSeconds(40) };
    readonly string address;
    readonly string secretKey;

    public Kassa(string address, string secretKey)
    {
        this.address = address.TrimEnd('/');
        this.secretKey = secretKey;
    }

    HttpRequestMessage RequestOf(HttpMethod method, string path, string body, string key)
    {
        var request = new HttpRequestMessage(method, address + path);
        request.Headers.TryAddWithoutValidation("Authorization", secretKey);
        if (method == HttpMethod.Post) request.Headers.Add("Idempotency-Key", key);
        if (body != null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        return request;
    }

    /// <summary>Asks Kassa. What may have been done is repeated with the same key, so that nothing is done twice.</summary>
    public async Task<string> Ask(HttpMethod method, string path, string body = null, string key = null)
    {
        key = key ?? Guid.NewGuid().ToString("N");
        for (var attempt = 1; ; attempt++)
        {
            var wait = TimeSpan.FromSeconds(0.25 * Math.Pow(2, attempt));
            try
            {
                using (var request = RequestOf(method, path, body, key))
                using (var answer = await http.SendAsync(request))
                {
                    var text = answer.Content == null ? "" : await answer.Content.ReadAsStringAsync();
                    if (answer.IsSuccessStatusCode) return text;
                    var status = (int)answer.StatusCode;
                    var isPassing = status == 409 || status == 429 || status >= 500;
                    if (!isPassing || attempt == Tries) throw new KassaException(status, text);
                    wait += answer.Headers.RetryAfter?.Delta ?? TimeSpan.Zero;
                }
            }
            catch (Exception error) when (error is HttpRequestException || error is TaskCanceledException)
            {
                if (attempt == Tries) throw;
            }
            await Task.Delay(wait);
        }
    }

    public async Task<XElement> Post(string path, string body, string key = null) =>
        Json.Read(await Ask(HttpMethod.Post, path, body, key));
}

public static class Webhook
{
    /// <summary>The event of a request that Kassa signed (Standard Webhooks). The body as it came, before it is read.</summary>
    public static XElement Verify(string secret, Func<string, string> header, string body)
    {
        var isNumber = long.TryParse(header("webhook-timestamp"), NumberStyles.None, CultureInfo.InvariantCulture, out var sent);
        if (!isNumber || Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - sent) > 300)
            throw new UnauthorizedAccessException("the request is too old");
        var bytes = Convert.FromBase64String(secret.StartsWith("whsec_", StringComparison.Ordinal) ? secret.Substring(6) : secret);
        if (bytes.Length == 0) throw new UnauthorizedAccessException("the secret is none");
        var signed = header("webhook-id") + "." + header("webhook-timestamp") + "." + body;
        using (var hmac = new HMACSHA256(bytes))
        {
            var ours = "v1," + Convert.ToBase64String(hmac.ComputeHash(Encoding.UTF8.GetBytes(signed)));
            if ((header("webhook-signature") ?? "").Split(' ').Any(theirs => IsSame(ours, theirs))) return Json.Read(body);
        }
        throw new UnauthorizedAccessException("no signature is of this secret");
    }

    // Takes as long whatever differs: nobody learns by the clock how much was right.
    static bool IsSame(string one, string other)
    {
        var difference = one.Length ^ other.Length;
        for (var at = 0; at < one.Length && at < other.Length; at++) difference |= one[at] ^ other[at];
        return difference == 0;
    }
}

public static class Shop
{
    const string Create = @"{
        ""order"": {
            ""items"": [{ ""reference"": ""mug"", ""name"": ""Mug"", ""quantity"": 1, ""unit"": ""pcs"", ""unitPrice"": 10000,
                ""netTotalAmount"": 10000, ""grossTotalAmount"": 10000 }],
            ""amount"": 10000, ""currency"": ""SEK"", ""reference"": ""order-1""
        },
        ""checkout"": { ""url"": ""https://shop.example"" }
    }";

    static string Given(string name) =>
        Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException(name + " is not set");

    static async Task Pay(Kassa kassa)
    {
        var payment = (await kassa.Post("/v1/payments", Create)).Element("paymentId").Value;

        // In place of a consumer on the checkout's page; this call takes no key, and is one of the sandbox alone.
        await kassa.Ask(HttpMethod.Post, $"/v1/sandbox/payments/{payment}/reserve", @"{ ""card"": ""4925000000000004"" }");
        var charges = $"/v1/payments/{payment}/charges";
        var charge = (await kassa.Post(charges, @"{ ""amount"": 10000 }", "order-1-parcel-1")).Element("chargeId").Value;
        var same = (await kassa.Post(charges, @"{ ""amount"": 10000 }", "order-1-parcel-1")).Element("chargeId").Value;
        Console.WriteLine("one charge for one key: " + (charge == same));
        await kassa.Post($"/v1/charges/{charge}/refunds", @"{ ""amount"": 4000 }");
        try
        {
            await kassa.Post(charges, @"{ ""amount"": 1 }");
        }
        catch (KassaException error)
        {
            Console.WriteLine($"refused: {error.Status} {error.Code}");
        }
        var told = Json.Read(await kassa.Ask(HttpMethod.Get, "/v1/payments/" + payment));
        var summary = told.Element("payment").Element("summary").Elements();
        Console.WriteLine("{" + string.Join(",", summary.Select(amount => $"\"{amount.Name}\":{amount.Value}")) + "}");
    }

    static void Receive(XElement request)
    {
        var secret = request.Element("secret").Value;
        var body = request.Element("body").Value;
        Func<string, string> header = name => request.Element("headers").Element(name)?.Value;
        Console.WriteLine(Webhook.Verify(secret, header, body).Element("event").Value);
        try
        {
            Webhook.Verify(secret, header, body + " ");
        }
        catch (UnauthorizedAccessException error)
        {
            Console.WriteLine(error.Message);
        }
    }

    public static void Main()
    {
        Pay(new Kassa(Given("CHECKOUT_URL"), Given("SHOP_KEY"))).GetAwaiter().GetResult();
        var webhook = Environment.GetEnvironmentVariable("WEBHOOK");
        if (webhook != null) Receive(Json.Read(webhook));
    }
}
