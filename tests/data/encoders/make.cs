// Godot Variants as a C# server writes them, from the published page. Tokens in (see make.py), one "rule major name hex" a line out.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;

static class Make
{
    static readonly string[] Rules = {
        "none", "wide", "seven-bit-strings", "utf16-strings", "decimal-floats", "bool-one-byte", "ids-shifted", "flag-in-bit-8",
        "string-length-ushort", "color-as-bytes", "null-string-minus-one", "vector3-of-16",
    };
    static readonly string[] Ids3 = ("nil bool int float str vec2 rect2 vec3 transform2d plane quat aabb basis transform color path rid object " +
        "dict array bytes ints floats strs vec2s vec3s colors").Split(' ');
    static readonly string[] Ids4 = ("nil bool int float str vec2 vec2i rect2 rect2i vec3 vec3i transform2d vec4 vec4i plane quat aabb basis " +
        "transform projection color name path rid object callable signal dict array bytes ints longs floats doubles strs vec2s vec3s colors").Split(' ');

    static string rule;
    static int major;
    static Queue<string> lines;
    static BinaryWriter to;

    static void Header(string kind, bool wide = false)
    {
        string[] ids = major == 3 ? Ids3 : Ids4;
        if (rule == "ids-shifted") ids = ids.Where(id => id != (major == 3 ? "rid" : "name")).ToArray();
        uint word = (uint)Array.IndexOf(ids, kind);
        if (wide) word |= rule == "flag-in-bit-8" ? 1u << 8 : 1u << 16;
        to.Write(word);
    }

    static void Pad()
    {
        while (to.BaseStream.Position % 4 != 0) to.Write((byte)0);
    }

    static void Text(string text)
    {
        if (rule == "seven-bit-strings") { to.Write(text); return; }
        byte[] raw = (rule == "utf16-strings" ? Encoding.Unicode : Encoding.UTF8).GetBytes(text);
        if (rule == "string-length-ushort") to.Write((ushort)raw.Length);
        else to.Write(raw.Length);
        to.Write(raw);
        Pad();
    }

    static void Integer(long number)
    {
        bool wide = rule == "wide" || number != (int)number;
        Header("int", wide);
        if (wide) to.Write(number);
        else to.Write((int)number);
    }

    static void Real(double number)
    {
        if (rule == "decimal-floats") { Header("float"); to.Write((decimal)number); }
        else if (rule != "wide" && (float)number == number) { Header("float"); to.Write((float)number); }
        else { Header("float", true); to.Write(number); }
    }

    static void Floats(double[] numbers, int each)
    {
        for (int i = 0; i < numbers.Length; i++)
        {
            if (rule == "color-as-bytes" && each == 4) to.Write((byte)Math.Round(numbers[i] * 255));
            else to.Write((float)numbers[i]);
            if (rule == "vector3-of-16" && each == 3 && i % 3 == 2) to.Write(0f);
        }
    }

    static void Value()
    {
        string line = lines.Dequeue();
        string kind = line.Split(' ')[0], rest = line.Substring(Math.Min(line.Length, kind.Length + 1));
        Func<double[]> numbers = () => rest.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries).Select(double.Parse).ToArray();
        switch (kind)
        {
            case "nil": Header(kind); break;
            case "nostr":
                if (rule == "null-string-minus-one") { Header("str"); to.Write(-1); }
                else Header("nil");
                break;
            case "bool":
                Header(kind);
                if (rule == "bool-one-byte") to.Write(rest == "1");
                else to.Write(rest == "1" ? 1 : 0);
                break;
            case "int": Integer(long.Parse(rest)); break;
            case "float": Real(double.Parse(rest)); break;
            case "str": Header(kind); Text(rest); break;
            case "vec2": case "rect2": Header(kind); Floats(numbers(), 2); break;
            case "vec3": Header(kind); Floats(numbers(), 3); break;
            case "color": Header(kind); Floats(numbers(), 4); break;
            case "vec2i": case "vec3i": Header(kind); foreach (double x in numbers()) to.Write((int)x); break;
            case "dict": case "array":
                Header(kind);
                int count = int.Parse(rest);
                to.Write(count);
                for (int i = 0; i < (kind == "dict" ? 2 * count : count); i++) Value();
                break;
            case "bytes":
                Header(kind);
                to.Write(rest.Length / 2);
                for (int i = 0; i < rest.Length; i += 2) to.Write(Convert.ToByte(rest.Substring(i, 2), 16));
                Pad();
                break;
            case "strs":
                Header(kind);
                to.Write(int.Parse(rest));
                for (int i = 0; i < int.Parse(rest); i++) Text(lines.Dequeue().Substring(4) + "\0");
                break;
            case "ints": Header(kind); to.Write(numbers().Length); foreach (double x in numbers()) to.Write((int)x); break;
            case "floats": Header(kind); to.Write(numbers().Length); Floats(numbers(), 1); break;
            case "vec2s": Header(kind); to.Write(numbers().Length / 2); Floats(numbers(), 2); break;
            case "vec3s": Header(kind); to.Write(numbers().Length / 3); Floats(numbers(), 3); break;
            case "colors": Header(kind); to.Write(numbers().Length / 4); Floats(numbers(), 4); break;
            default: throw new FormatException(line);
        }
    }

    static void Main()
    {
        CultureInfo.DefaultThreadCurrentCulture = CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        string all = new StreamReader(Console.OpenStandardInput(), Encoding.UTF8).ReadToEnd();
        foreach (string each in Rules)
            foreach (string payload in ("\n" + all.TrimEnd('\n')).Split(new[] { "\npayload " }, StringSplitOptions.RemoveEmptyEntries))
            {
                rule = each;
                lines = new Queue<string>(payload.Split('\n'));
                string[] title = lines.Dequeue().Split(' ');
                major = int.Parse(title[0]);
                var memory = new MemoryStream();
                to = new BinaryWriter(memory);
                Value();
                byte[] bare = memory.ToArray();
                string hex = string.Concat(BitConverter.GetBytes(bare.Length).Concat(bare).Select(b => b.ToString("x2")));
                Console.WriteLine(rule + " " + title[0] + " " + title[1] + " " + hex);
            }
    }
}
